"""Asks a server of `tests.fork_server` to run a command.

Run as a program, it is `memtool` for a shell: it passes on its arguments and streams, and ends as the command
ends. A shell starts it for each command, so it imports nothing that takes time.
"""

import _signal
import _socket
import marshal
import os
import sys

NUMBER = 4
"""The length in bytes of a number that is sent."""
PASSED = (_signal.SIGHUP, _signal.SIGINT, _signal.SIGTERM)


def start(path, arguments, environment, folder, mask, descriptors):
    """Start a command; returns its process id, and the connection that its wait status will come from.

    Arguments, environment and folder are bytes. The descriptors are its stdin, stdout and stderr.
    """
    request = marshal.dumps((arguments, environment, folder, mask))
    rights = b"".join(descriptor.to_bytes(NUMBER, sys.byteorder) for descriptor in descriptors)
    connection = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    connection.connect(path)
    data = len(request).to_bytes(NUMBER, sys.byteorder) + request
    sent = connection.sendmsg([data], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, rights)])
    if sent < len(data):  # a send of nothing fails if the command has already ended
        connection.sendall(data[sent:])
    return number(connection), connection


def number(connection):
    """The next number that the server sends: the process id, and then the wait status. Raises EOFError."""
    received = connection.recv(NUMBER, _socket.MSG_WAITALL)
    if len(received) < NUMBER:
        raise EOFError("the fork server has ended")
    return int.from_bytes(received, sys.byteorder)


def main(path):
    """Run the command line of this process, and end as it ends."""
    try:
        for descriptor in (0, 1, 2):
            os.fstat(descriptor)
        folder = os.getcwdb()
    except OSError:  # a closed stream, or a folder that was removed, cannot be passed
        os.execv(sys.executable, [sys.executable, "-m", "memtool", *sys.argv[1:]])
    mask = os.umask(0)
    arguments = [os.fsencode(argument) for argument in sys.argv[1:]]
    _signal.pthread_sigmask(_signal.SIG_BLOCK, PASSED)
    process, connection = start(path, arguments, dict(os.environb), folder, mask, (0, 1, 2))
    for passed in PASSED:
        _signal.signal(passed, lambda sent, _: os.kill(process, sent))
    _signal.pthread_sigmask(_signal.SIG_UNBLOCK, PASSED)
    os.closerange(0, 3)  # else whoever writes to the command would not notice that it has closed its stdin
    status = number(connection)
    if os.WIFSIGNALED(status):
        if os.WTERMSIG(status) != _signal.SIGKILL:
            _signal.signal(os.WTERMSIG(status), _signal.SIG_DFL)
        os.kill(os.getpid(), os.WTERMSIG(status))
    os._exit(os.WEXITSTATUS(status))


if __name__ == "__main__":
    main(sys.argv.pop(1))
