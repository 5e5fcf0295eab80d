"""The real server around the real model, made slow (20 ms more a step) and endless: only its length ends an answer.

Two prompts make the model fail. So a test can rely on answers that still run, and on a failure inside a batch.
"""

import time

from model import Model

STEP_SECONDS = 0.02
real_load, real_run = Model.load, Model.run


def load(settings):
    model = real_load(settings)
    model.end_tokens = frozenset()
    return model


def run(self, jobs, wrote):
    fails_at_once, fails_later = (tuple(self.encode(prompt)) for prompt in ("fail at once", "fail later"))
    if any(job.prompt_ids == fails_at_once for job in jobs):
        raise RuntimeError("secret detail of the failure")
    in_this_step = set()

    def slowly(job, token):
        if job in in_this_step:
            in_this_step.clear()
            time.sleep(STEP_SECONDS)
        in_this_step.add(job)
        if job.prompt_ids == fails_later and len(job.tokens) > 3:
            raise RuntimeError("secret detail of the failure")
        wrote(job, token)

    real_run(self, jobs, slowly)


Model.load, Model.run = load, run

from server import app  # noqa: E402, F401
