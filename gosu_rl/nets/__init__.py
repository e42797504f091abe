"""Networks that play: what they are made of (`network`), the files they are kept in (`policy_file`), and finding them (`lookup`).

Everything here wants torch and safetensors: pip install 'gosu_rl[train]'. Nothing below this room imports it.
"""
