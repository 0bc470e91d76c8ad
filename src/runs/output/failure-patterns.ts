/** Shapes of what languages print about an error that ends a program. Each takes time in proportion to the line. */

/** The first line of an exception's frames in Python; of a group they are behind `|`. */
export const PYTHON_START = /^(?: {2}\+ Exception Group )?Traceback \(most recent call last\):$/;
/** Where a file cannot be parsed, Python prints no first line. */
export const PYTHON_SYNTAX = /^ {2}File "[^"]+", line \d+$/;
/** The first frame of a program. */
export const PYTHON_ENTRY = /, in <module>$|"<frozen /;
/** Between two tracebacks: the later one is what came of the earlier. */
export const PYTHON_CHAIN =
  /^(?:During handling of the above exception, another exception occurred|The above exception was the direct cause of the following exception):$/;
/** What precedes the traceback of an error that does not end the program. */
export const PYTHON_ASIDE =
  /^(?:Exception in (?:thread|callback)|Exception ignored in|Error in atexit|Task exception was never retrieved|future: <)/;
/** A record of a log, after which a traceback is that of a handled error. */
export const LOG_RECORD =
  /\b(?:WARN(?:ING)?|ERROR|CRITICAL|FATAL|EXCEPTION)\b|\blevel=|"level"|\[(?:warning|error|critical)\s*\]/;

/** Above the line that failed: its place, or the line itself with its number (Bun). */
export const EXCERPT = /^\S.*:\d+$|^ *\d+ \| /;
export const CARET = /^[\s|]*\^[\^~]*$/;
/** The last line of a program that ended by an uncaught error. */
export const RUNTIME_VERSION = /^(?:Node\.js|Bun) v\d/;
export const JAVASCRIPT_FRAME = /^\s+at /;
export const NAMED_ERROR = /^[A-Z][\w$.]*(?: \[\w+\])?(?::|$)|panicked at|[Ee]xception/;
/** Of an error of any language. */
export const ERRORS = /panicked at|[Ee]xception|Error/;
export const ERROR = /^(?:Uncaught )?[\w$.]*(?:Error|Exception)\b/;

export const RUBY_ERROR = /^\S+:\d+:in .*\([A-Z][\w:]*\)$/;
export const GO_PANIC = /^(?:panic: |fatal error: )/;
export const GO_GOROUTINE = /^goroutine \d+ /;
export const GO_STACK = /\)$|^created by |^goroutine \d+ /;

/** Lines without indentation that go on with an error, or that tools print after it. */
export const CONTINUES = new RegExp(
  [
    // closing brackets, frames with numbers, boxes drawn around tracebacks
    '^(?:[}\\])]+[,;]?$|#\\d+ |[╭│╰╮╯┃━─])',
    // Java, Rust, Haskell, Lua, PHP, Julia, Dart
    '^(?:Caused by:|Suppressed:|Stack (?:trace|backtrace):|stack (?:traceback|backtrace):|Stacktrace:|CallStack|note: |in expression starting at )',
    // R, Perl, Go, Node, Python
    '^(?:Calls: |In .* :$|Execution halted|In addition: |BEGIN failed|Compilation failed|Execution of |exit status \\d+$|\\[signal |Emitted )',
    "^(?:\\(Use `node |Require stack:|- \\/|Current thread |Thread 0x|Extension modules: |-{3,}|Try '.* --help)",
    // npm, yarn and make say that their command failed
    '^(?:npm (?:error|ERR!|notice|warn)|error Command failed|make(?:\\[\\d+\\])?: \\*\\*\\* )',
  ].join('|'),
);
