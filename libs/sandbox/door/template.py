# A template's own half: it imports what a version's script imports at its beginning, looks whether that can be had before a run,
# and then forks. It only reads the script, and imports nothing of the version's own, so no line of its author runs before a run.
# `_imp`, `_signal` and the like are what every Python has loaded at this point.
import _signal
import _thread
import builtins
import os
import sys
import time
from _frozen_importlib_external import PathFinder

ONLY_READ = 0x400  # of compile(): the syntax, not code
SIGNALS = range(1, _signal.NSIG)
KEPT = ("SigBlk:", "SigIgn:", "SigCgt:", "Umask:", "NoNewPrivs:", "Cpus_allowed:")
# The signals 32 and 33, which it catches from the first thread on.
OF_THE_C_LIBRARY = 3 << 31
# Variables that C libraries read when they are loaded, where nobody sees it.
READ_IN_C = ("OPENBLAS", "GOTO_", "OMP_", "MKL_", "BLIS_", "KMP_", "NUMEXPR", "GRPC_", "ARROW_", "OPENSSL_", "MALLOC_", "RAYON_", "POLARS_")
# Files of modules that make random numbers when they are imported, which renew() replaces.
RENEWED = ("/multiprocessing/process.py", "/numpy/random/")
CLOCKS = {"time", "time_ns", "monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "clock_gettime", "clock_gettime_ns", "localtime", "gmtime", "ctime", "asctime", "strftime", "process_time", "process_time_ns", "thread_time", "thread_time_ns", "now", "utcnow", "today"}
# logging is renewed; f2py writes the time of its import into code that it generates; dateutil keeps the year, for years of two digits;
# strptime asks for the names of months; Google's looks whether this Python is still cared for.
KNOWN_TO_READ_CLOCKS = ("/logging/__init__.py", "/numpy/f2py/rules.py", "/dateutil/parser/_parser.py", "/_strptime.py", "/google/api_core/_python_version_support.py")

generators = []  # of random numbers, which modules have made for themselves


def refuse(why):
    os.write(2, f"{why}\n".encode())
    os._exit(1)


def imports_of(source, own):
    """The imports at the script's beginning, one by one, up to the first that is the version's own or anything else."""
    tree = compile(source, "<script>", "exec", ONLY_READ, dont_inherit=True)
    for index, node in enumerate(list(tree.body)):
        kind = type(node).__name__
        if kind == "Expr" and index == 0 and isinstance(getattr(node.value, "value", None), str):
            continue
        if kind == "ImportFrom" and node.module == "__future__":
            continue
        if kind not in ("Import", "ImportFrom") or getattr(node, "level", 0):
            return
        for alias in list(node.names):
            name = node.module if kind == "ImportFrom" else alias.name
            if name.partition(".")[0] in own:
                return
            node.names[:] = [alias]
            tree.body[:] = [node]
            yield compile(tree, "<script>", "exec", dont_inherit=True)


class Asked(dict):
    """The environment during imports. Notes which variables were asked for."""

    names = set()

    def __getitem__(self, name):
        self.names.add(os.fsdecode(name))
        return dict.__getitem__(self, name)

    def __contains__(self, name):
        self.names.add(os.fsdecode(name))
        return dict.__contains__(self, name)

    def get(self, name, default=None):
        self.names.add(os.fsdecode(name))
        return dict.get(self, name, default)

    def __iter__(self):
        self.names.add("*")
        return dict.__iter__(self)

    def keys(self):
        self.names.add("*")
        return dict.keys(self)

    def items(self):
        self.names.add("*")
        return dict.items(self)


class Arguments(list):
    """The arguments during imports. Notes whether anybody looks at them."""

    asked = False

    def note(self):
        Arguments.asked = True
        return self

    def __getitem__(self, index):
        return list.__getitem__(self.note(), index)

    def __iter__(self):
        return list.__iter__(self.note())

    def __len__(self):
        return list.__len__(self.note())


class Finder:
    """Finds nothing. Notes what was looked for, which the version's own folder could have had, and would have been opened for."""

    names = set()
    folder = ""

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        cls.names.add(name.partition(".")[0])
        if path is None:
            PathFinder._path_importer_cache(cls.folder)


def caller(frame):
    """The file of the module that is behind a call, without what hands on calls."""
    while frame and frame.f_code.co_filename.endswith(("/random.py", "/secrets.py", "_bootstrap>", "_bootstrap_external>")):
        frame = frame.f_back
    return frame.f_code.co_filename if frame else ""


def reads_clock(frame, function):
    """A module may keep it, also where a function of it reads: every run would have the time of the import."""
    if getattr(function, "__name__", "") not in CLOCKS:
        return False
    owner = getattr(function, "__self__", None)
    classes = getattr(owner, "__mro__", ())
    tells = owner is time or any(getattr(one, "__module__", "") == "datetime" for one in classes)
    return tells and not frame.f_code.co_filename.endswith(KNOWN_TO_READ_CLOCKS)


def note_call(frame, event, function):
    """What every run would have the same of. Some modules are known, and renewed."""
    if event != "c_call":
        return
    if reads_clock(frame, function):
        refuse(f"its imports read the clock ({frame.f_code.co_filename})")
    if function is os.urandom and not any(part in caller(frame) for part in RENEWED):
        refuse(f"its imports make random numbers ({caller(frame)})")
    if getattr(function, "__name__", "") == "set_default_verify_paths":
        refuse("its imports read whom a run trusts")
    if getattr(function, "__name__", "") == "seed" and frame.f_locals.get("a", 0) is None:
        if frame.f_code.co_filename.endswith("/random.py"):
            generators.append(function.__self__)


def status():
    descriptor = os.open("/proc/self/status", os.O_RDONLY | os.O_CLOEXEC)
    text = os.read(descriptor, 1 << 16).decode()
    os.close(descriptor)
    lines = [line.split() for line in text.splitlines() if line.startswith(KEPT)]
    return [(name, int(value, 16) & ~OF_THE_C_LIBRARY if name == "SigCgt:" else value) for name, value, *_ in lines]


def references_of_main():
    """Besides those of sys.modules, where multiprocessing enters it a second time."""
    main = sys.modules["__main__"]
    return sys.getrefcount(main) - sum(module is main for module in sys.modules.values())


def check(before, own, references):
    random = sys.modules.get("random")
    if before != (status(), [_signal.getsignal(number) for number in SIGNALS], os.getcwd()):
        refuse("its imports change signals, folder or mask")
    if references_of_main() != references:
        refuse("its imports keep the main module")
    if own & Finder.names:
        refuse("its imports may be the version's own modules")
    if random and random._inst.getstate()[1][-1] != 624:
        refuse("its imports use random numbers")
    if _thread._count():
        refuse("its imports start threads")


def check_environment(before, names):
    hidden = [name for name in names if os.fsencode(name) not in dict(before) and name.startswith(READ_IN_C)]
    if list(dict.items(os.environ._data)) != before:
        refuse("its imports change the environment")
    if "*" in Asked.names or names & Asked.names or hidden:
        refuse("its imports may read variables that a run has")


def import_all(script, own):
    with open(f"/app/{script}", "rb") as file:
        source = file.read()
    scratch = {"__name__": "__main__", "__builtins__": builtins}
    for statement in imports_of(source, own):
        exec(statement, scratch)


def serve(words):
    """@param words lines: the script, whether runs have arguments, and the names of their variables. Returns in a child alone."""
    script, arguments, *names = words.split("\n")
    folder, _, name = f"/app/{script}".rpartition("/")
    if not name.endswith(".py"):
        refuse("the script is not a plain file")
    Finder.folder = folder
    sys.path_importer_cache[f"/app/{script}"] = None  # As when it looks whether its script is a folder.
    own = {entry.partition(".")[0] for entry in os.listdir(folder)} - {""}
    data, argv = os.environ._data, sys.argv
    del data[b"SANDBOX_TEMPLATE"], data[b"PYTHONUSERBASE"]
    variables = list(data.items())
    os.environ._data = Asked(data)
    sys.meta_path.insert(0, Finder)
    sys.argv = Arguments([script])
    before = status(), [_signal.getsignal(number) for number in SIGNALS], os.getcwd()
    references = references_of_main()
    sys.setprofile(note_call)
    try:
        import_all(script, own)
    except BaseException as error:
        refuse(f"its imports fail: {type(error).__name__}: {error}")
    sys.setprofile(None)
    sys.meta_path.remove(Finder)
    check_environment(variables, set(names))
    os.environ._data = data
    check(before, own, references)
    if arguments and Arguments.asked:
        refuse("its imports may read arguments that a run has")
    sys.argv = argv
    fork_for_runs()


def fork_for_runs():
    present = "gc" in sys.modules
    import gc

    if not present:
        del sys.modules["gc"]
    gc.freeze()
    os.putenv("SANDBOX_TEMPLATE", "ready")
    if os.fork():  # The child is the template, and goes on in a child of its own. The launcher does not let this one go on.
        os._exit(0)


def renew():
    """What modules have made for one process, beyond what they renew themselves after a fork."""
    loaded = sys.modules.get
    if logging := loaded("logging"):
        logging._startTime = logging.time.time()
    if process := loaded("multiprocessing.process"):
        process._current_process._config["authkey"] = process.AuthenticationString(os.urandom(32))
    if (numpy := loaded("numpy.random.mtrand")) and hasattr(numpy, "_rand"):
        numpy._rand.seed()
    if uuid := loaded("uuid"):
        uuid._node = uuid._last_timestamp = None
    for generator in generators:
        generator.seed()
    # What was there before the fork, no collection looks at any more; what the run leaves in its own names must be collected.
    main = sys.modules["__main__"]
    fresh = type(main)("__main__")
    for name in [name for name, module in sys.modules.items() if module is main]:
        sys.modules[name] = fresh
    fresh.__dict__.clear()
    fresh.__dict__.update(main.__dict__)
