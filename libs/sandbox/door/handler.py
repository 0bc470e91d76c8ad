# The program of a box whose command names a file with a function `main`. It calls that function once: what it returns is written to
# standard output as JSON, and what is printed meanwhile goes to standard error. Arguments: the file, and what it is told, as JSON.
import json
import os
import sys
import types
from importlib.machinery import ModuleSpec, SourceFileLoader


def log(*words):
    print(*words, file=sys.stderr, flush=True)


def progress(fraction, message=""):
    if not 0 <= fraction <= 1:
        raise ValueError("progress is a number from 0 to 1")
    log(f"::progress {fraction:.6f} {' '.join(str(message).split())}".rstrip())


def load(path):
    """As an import does. What that is made of takes longer to import than all of this."""
    name = os.path.splitext(os.path.basename(path))[0]
    loader = SourceFileLoader(name, path)
    module = types.ModuleType(name)
    module.__spec__ = ModuleSpec(name, loader, origin=path)
    module.__spec__.has_location = True
    module.__loader__, module.__file__, module.__package__ = loader, path, ""
    sys.modules[name] = module
    exec(loader.get_code(name), module.__dict__)
    return module


def handle(entry, inputs, run):
    path = os.path.abspath(entry)
    sys.argv[:] = [path]
    sys.path[0] = os.path.dirname(path)
    main = getattr(load(path), "main", None)
    if not callable(main):
        raise TypeError(f"{entry} has no function main")
    with open(inputs, encoding="utf-8") as file:
        value = main(json.load(file), run)
    if isinstance(value, types.CoroutineType):
        import asyncio

        value = asyncio.run(value)
    return json.dumps(value, allow_nan=False).encode()


def report(error):
    """As of any script, without the frames that are ours."""
    traceback = error.__traceback__
    while traceback and traceback.tb_frame.f_code.co_filename.startswith((__file__, "<frozen importlib.")):
        traceback = traceback.tb_next
    sys.excepthook(type(error), error.with_traceback(traceback), traceback)
    sys.stderr.flush()


def end():
    """Does not wait for threads that the function has left."""
    threading = sys.modules.get("threading")
    main = threading and threading.main_thread()
    if not threading or all(thread is main or thread.daemon for thread in threading.enumerate()):
        return
    import atexit

    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def serve(entry, told):
    # What the function starts is not given this one.
    output = os.dup(1)
    os.dup2(2, 1)
    known = json.loads(told)
    run = types.SimpleNamespace(**known, log=log, progress=progress)
    del run.inputs
    try:
        answer = handle(entry, known["inputs"], run)
    except Exception as error:
        report(error)
        sys.exit(1)
    sys.stdout.flush()
    while answer:
        answer = answer[os.write(output, answer) :]
    os.close(output)
    end()


serve(*sys.argv[1:])
