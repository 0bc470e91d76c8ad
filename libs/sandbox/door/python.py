# Runs as `usercustomize` in a Python that was started before there was a run for it: the last step of its start, before it
# looks for its script. Once the door has opened, everything that the start has put down is put right, and the import ends as it
# does where there is no such module. No function of its own, and no name that stays.
import _imp
import _signal
import os
import sys
from _frozen_importlib import ModuleSpec
from _frozen_importlib_external import PathFinder

import site

entry = os.environ._data.get(b"SANDBOX_TEMPLATE")
if entry is not None:
    import sandbox_template

    del sys.modules["sandbox_template"]

# What calls a function of a file is no script that anybody could compare with another way, so its imports need not wait either.
if sys.orig_argv[-1].endswith(".handler"):
    import importlib.machinery
    import json
    import types

try:
    _imp.create_dynamic(ModuleSpec("door", None, origin="/runtime/warm/door.so"))
except ImportError:
    pass  # It is no module: that it was loaded is all.

sys.path.remove(site.USER_SITE)
sys.path_importer_cache.pop(site.USER_SITE, None)

if entry is not None:
    sandbox_template.serve(os.fsdecode(entry))  # It goes on in a child, for each run.

descriptor = os.open("/proc/self/cmdline", os.O_RDONLY | os.O_CLOEXEC)
text = b""
while chunk := os.read(descriptor, 1 << 16):
    text += chunk
os.close(descriptor)
sys.orig_argv[:] = [os.fsdecode(word) for word in text.split(b"\0")[:-1]]
sys.argv[:] = sys.orig_argv[1:]

descriptor = os.open("/proc/self/environ", os.O_RDONLY | os.O_CLOEXEC)
text = b""
while chunk := os.read(descriptor, 1 << 16):
    text += chunk
os.close(descriptor)
os.environ._data.clear()
for word in text.split(b"\0")[:-1]:
    name, _, value = word.partition(b"=")
    os.environ._data.setdefault(name, value)

site.USER_BASE = site.USER_SITE = None
site.getusersitepackages()

# A folder of PYTHONPATH was not there yet when this process looked for modules in it. Where it has one of those that the start
# has loaded, or would have, the start is to be done again.
# A template has found it there.
waited = () if entry is not None else sys.path
loaded = {name.partition(".")[0] for name, module in sys.modules.items() if waited and getattr(module.__spec__, "has_location", False)}
loaded |= {"sitecustomize", "usercustomize", "apport_python_hook"}
for path in waited:
    if not path.startswith("/app/") or not os.path.isdir(path):
        continue
    if any(name.partition(".")[0] in loaded for name in os.listdir(path)):
        _signal.signal(_signal.SIGPIPE, _signal.SIG_DFL)
        _signal.signal(_signal.SIGXFSZ, _signal.SIG_DFL)
        os.execve(sys.executable, sys.orig_argv, os.environ)
    sys.path_importer_cache[path] = PathFinder._path_hooks(path)

if entry is not None:
    sandbox_template.renew()

raise ImportError(name="usercustomize")
