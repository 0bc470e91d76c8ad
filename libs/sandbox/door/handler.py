# The program of a box whose command names a file with a function `main`. It calls that function once: what it returns is written to
# standard output as JSON, and what is printed meanwhile goes to standard error. Arguments: the file, and what it is told, as JSON, and
# whether it stays for further runs: then it calls the function again for each of them (see native/kept.c).
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


def find(entry):
    path = os.path.abspath(entry)
    sys.argv[:] = [path]
    sys.path[0] = os.path.dirname(path)
    main = getattr(load(path), "main", None)
    if not callable(main):
        raise TypeError(f"{entry} has no function main")
    return main


def call(main, told):
    known = json.loads(told)
    run = types.SimpleNamespace(**known, log=log, progress=progress)
    del run.inputs
    with open(known["inputs"], encoding="utf-8") as file:
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


def take_exactly(door, length):
    taken = b""
    while len(taken) < length:
        chunk = door.recv(length - len(taken))
        if not chunk:
            os._exit(125)
        taken += chunk
    return taken


def leave_run():
    """Its pipes, its folder, and its timers. Each run has an open file of its own in place of its inputs."""
    import _signal

    for timer in _signal.ITIMER_REAL, _signal.ITIMER_VIRTUAL, _signal.ITIMER_PROF:
        _signal.setitimer(timer, 0)
    nothing = os.open("/dev/null", os.O_RDWR)
    for descriptor in range(3):
        os.dup2(nothing, descriptor)
    os.close(nothing)
    os.chdir("/")


def next_run():
    """To be at the launcher's door is the wish for an end. What comes from there: see let_in() in native/waiting.c."""
    import _socket

    leave_run()
    door = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    door.connect(b"\0door")
    _, [(_, _, pipes)], *_ = door.recvmsg(1, _socket.CMSG_SPACE(8), _socket.MSG_CMSG_CLOEXEC)
    output, errors = (int.from_bytes(pipes[at : at + 4], sys.byteorder) for at in (0, 4))
    os.dup2(errors, 1)
    os.dup2(errors, 2)
    os.close(errors)
    sizes = take_exactly(door, 12)
    arguments, environment, readable = (int.from_bytes(sizes[at : at + 4], sys.byteorder) for at in (0, 4, 8))
    text = take_exactly(door, arguments + environment + readable)
    door.close()
    os.chdir("/app")
    for word in text[arguments : arguments + environment].split(b"\0")[:-1]:
        name, _, value = word.partition(b"=")
        os.environb[name] = value
    return output, os.fsdecode(text[:arguments].split(b"\0")[3])


def has_threads():
    import _thread

    return _thread._count() > 0


def serve(entry, told, stays=None):
    # What the function starts is not given this one.
    output = os.dup(1)
    os.dup2(2, 1)
    main = None
    while True:
        try:
            main = main or find(entry)
            answer = call(main, told)
        except SystemExit as exit:
            # As of a program, it is a success that returns nothing.
            if exit.code not in (None, 0):
                raise
            answer, stays = b"null", None
        except Exception as error:
            report(error)
            sys.exit(1)
        sys.stdout.flush()
        while answer:
            answer = answer[os.write(output, answer) :]
        os.close(output)
        if not stays or has_threads():
            return end()
        sys.stderr.flush()
        output, told = next_run()


# The children of multiprocessing run this again, by another name.
if __name__ == "__main__":
    serve(*sys.argv[1:])
