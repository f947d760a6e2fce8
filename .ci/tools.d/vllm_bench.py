# Runs vLLM's own benchmark client from its wheel installed without dependencies. LoRA's modules, which it imports
# for a type and a path and which need the whole engine, are replaced by empty ones.
import asyncio, sys, types
for name, attrs in {"vllm.lora": [], "vllm.lora.request": ["LoRARequest"], "vllm.lora.utils": ["get_adapter_absolute_path"]}.items():
    m = types.ModuleType(name); m.__path__ = []
    for a in attrs: setattr(m, a, type(a, (), {}))
    sys.modules[name] = m
from vllm.benchmarks.serve import add_cli_args, main_async
from vllm.utils.argparse_utils import FlexibleArgumentParser
p = FlexibleArgumentParser()
add_cli_args(p)
asyncio.run(main_async(p.parse_args()))
