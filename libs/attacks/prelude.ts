/** Python that every attack begins with: its inputs, and the errno that an action fails with. What was found is printed as JSON. */
export const PRELUDE = `
import ctypes, errno, json, os, resource, signal, socket, stat, struct, subprocess, sys, time
def inputs():
    return json.load(open(os.environ["GATEHOUSE_INPUTS"]))
def refusal(action, *arguments):
    """The errno that an action fails with, or what it returned."""
    try:
        return "done: %r" % (action(*arguments),)
    except OSError as error:
        return errno.errorcode.get(error.errno, str(error))
`;
