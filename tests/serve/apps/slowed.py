"""The real server around the real model, but each token takes 20 ms more, and two prompts make the model fail."""

import time

from model import Model

EXTRA_SECONDS = 0.02
real_run = Model.run


def run(self, jobs, wrote):
    fails_at_once = tuple(self.encode("fail at once"))
    fails_later = tuple(self.encode("fail later"))
    if any(job.prompt_ids == fails_at_once for job in jobs):
        raise RuntimeError("secret detail of the failure")
    step = None

    def slowly(job, token):
        nonlocal step
        if job.prompt_ids == fails_later and len(job.tokens) >= 3:
            raise RuntimeError("secret detail of the failure")
        if step in (None, job):  # the first row of a step waits for all of them
            step = job
            time.sleep(EXTRA_SECONDS)
        wrote(job, token)

    real_run(self, jobs, slowly)


Model.run = run

from server import app  # noqa: E402, F401
