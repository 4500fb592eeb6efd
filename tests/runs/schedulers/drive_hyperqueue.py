"""Runs a job file of HyperQueue, given as JSON, on a cluster within this process, whose workers are lost and one of
whose tasks is killed: what comes of that is printed.

    python drive_hyperqueue.py JOB.json LONG_TASK..
"""

import json
import os
import signal
import socket
import sys
import time

from hyperqueue import Job, LocalCluster
from hyperqueue.cluster import WorkerConfig
from hyperqueue.task.task import ResourceRequest


def numbers(ranges):
    """The numbers in a text like 3,17,40-55."""
    for part in ranges.split(","):
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


def connections():
    """The files of this process that are connections over TCP."""
    connected = set()
    for table in ("/proc/self/net/tcp", "/proc/self/net/tcp6"):
        with open(table) as rows:
            cells = [row.split() for row in list(rows)[1:]]
        connected |= {f"socket:[{row[9]}]" for row in cells if row[3] == "01"}
    files = set()
    for name in os.listdir("/proc/self/fd"):
        try:
            if os.readlink(f"/proc/self/fd/{name}") in connected:
                files.add(int(name))
        except OSError:
            pass
    return files


def add_worker(cluster):
    """Adds one, and returns a file of its connection to the server."""
    before = connections()
    cluster.start_worker(WorkerConfig(cores=1))
    while not (new := connections() - before):
        time.sleep(0.01)
    return min(new)


def cut(file):
    """Ends a connection as if the other machine were gone."""
    with socket.socket(fileno=os.dup(file)) as connection:
        connection.shutdown(socket.SHUT_RDWR)


def running():
    """The tasks that run: process, task, and how often it has been started before."""
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                arguments = file.read().split(b"\0")
            with open(f"/proc/{pid}/environ", "rb") as file:
                variables = dict(one.partition(b"=")[::2] for one in file.read().split(b"\0"))
            if os.readlink(f"/proc/{pid}/cwd") != os.getcwd() or arguments[1:3] != [b"sweep", b"task"]:
                continue
            yield int(pid), int(variables[b"HQ_TASK_ID"]), int(variables[b"HQ_INSTANCE_ID"])
        except (OSError, KeyError):
            pass


def first(wanted, seconds=60):
    """The first task that runs and is wanted."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for one in running():
            if wanted(*one):
                return one
        time.sleep(0.005)
    sys.exit("no such task has been seen")


def main(path, *long):
    long = {int(task) for task in long}
    with open(path) as file:
        description = json.load(file)
    array = description["array"]
    cores = array["request"][0]["resources"]["cpus"]
    left = set(numbers(array["ids"]))
    # Here the numbers of tasks are those of a list; in a job file they can be chosen.
    job = Job(max_fails=None, name=description["name"], default_workdir=os.getcwd())
    for task in range(max(left) + 1):
        command = array["command"] if task in left else ["true"]
        limits = {"crash_limit": array["crash_limit"], "resources": ResourceRequest(cpus=cores)}
        job.program(command, stdout=None, stderr=None, **limits)
    with LocalCluster() as cluster:
        workers = [add_worker(cluster) for _ in range(2)]
        client = cluster.client()
        submitted = client.submit(job)
        if long:
            pid, task, _ = first(lambda pid, task, instance: task not in long)
            os.kill(pid, signal.SIGKILL)
            print("killed", task)
            _, task, instance = first(lambda pid, task, instance: task in long)
            time.sleep(0.3)
            for _ in workers:
                add_worker(cluster)
            for worker in workers:
                cut(worker)
            print("lost", task)
            _, task, instance = first(lambda pid, task, instance: task in long and instance > 0)
            print("again", task, instance)
        client.wait_for_jobs([submitted], raise_on_error=False)
        print("failed", *sorted(client.get_failed_tasks(submitted)))


main(*sys.argv[1:])
