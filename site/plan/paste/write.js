// @ts-check
/**
 * The command that the engine writes, laid out for a shell, for Docker or for Kubernetes; each is read back to the same
 * settings.
 * @module
 */

import { shell_words } from "./shell.js";

/**
 * What the forms need beside the command.
 * @typedef {object} Around
 * @property {string} [version] vLLM's version; the image's tag
 * @property {boolean} [long_allowed] whether a length above the model's own is allowed
 * @property {string} [maker] of the card: `"amd"` has an image and a resource of its own
 * @property {number} [weights_gib] weights on all cards, for the time that loading may take
 */

/**
 * The slowest published load: 4 × 14.25 GiB in 559 s (vllm#17469), about 0.1 GiB a second; and for compiling and graphs
 * three times the longest published capture, 201 s (vllm#17875), rounded. Without weights an hour.
 */
const GIB_PER_SECOND = 0.1;
const WARM_SECONDS = 600;
const UNKNOWN_SECONDS = 3600;
const PERIOD_SECONDS = 10;

/**
 * How long a start may take before Kubernetes gives up.
 * @param {Around} around
 * @returns {{seconds: number, period_seconds: number, failures: number, gib_per_second: number, warm_seconds: number, known: boolean}}
 */
export function startup_budget({ weights_gib }) {
  const known = typeof weights_gib === "number" && weights_gib > 0;
  const seconds = known ? WARM_SECONDS + weights_gib / GIB_PER_SECOND : UNKNOWN_SECONDS;
  const failures = Math.ceil(seconds / PERIOD_SECONDS);
  return { seconds: failures * PERIOD_SECONDS, period_seconds: PERIOD_SECONDS, failures, gib_per_second: GIB_PER_SECOND, warm_seconds: WARM_SECONDS, known };
}

/** @param {string} word */
function quoted(word) {
  return /^[A-Za-z0-9_@%+=:,./~-]+$/.test(word) ? word : `'${word.replace(/'/g, "'\"'\"'")}'`;
}

/** A flag and its value stand together. @param {string[]} words */
function lines(words) {
  /** @type {string[]} */
  const all = [];
  words.forEach((word, i) => {
    if (i > 0 && !word.startsWith("--")) all[all.length - 1] += ` ${quoted(word)}`;
    else all.push(quoted(word));
  });
  return all;
}

/**
 * A command's variables and its words.
 * @param {string} command one line for a shell @param {Around} around
 * @returns {{variables: [string, string][], words: string[]}}
 */
function parts(command, { long_allowed }) {
  const { words } = shell_words(command, 0);
  const first = words.findIndex((word) => !/^[A-Z][A-Z0-9_]*=/.test(word));
  const set = words.splice(0, Math.max(0, first)).map((word) => /** @type {[string, string]} */ ([word.split("=")[0], word.slice(word.indexOf("=") + 1)]));
  if (long_allowed) set.push(["VLLM_ALLOW_LONG_MAX_MODEL_LEN", "1"]);
  return { variables: set, words };
}

/** What is started in an image, and its words: the images have no plain `python`. @param {string[]} words */
function entry([first, ...rest]) {
  return [first === "python" ? "python3" : first, ...rest];
}

/** @param {Around} around */
function image({ version = "", maker }) {
  const tag = /^[0-9]+\.[0-9]+\.[0-9]+((\.post|rc)[0-9]+)?$/.test(version) ? `v${version}` : "latest";
  return `vllm/vllm-openai${maker === "amd" ? "-rocm" : ""}:${tag}`;
}

const CARDS = ["--tensor-parallel-size", "--pipeline-parallel-size", "--data-parallel-size"];

/** How many cards a command takes: each way to share the model out, or to have it more than once, times the others. @param {string[]} words */
function cards(words) {
  return words.reduce((count, word, i) => count * ((CARDS.includes(words[i - 1] ?? "") && Number(word)) || 1), 1);
}

/**
 * For a shell, each flag on a line of its own.
 * @param {string} command one line for a shell, as the engine writes it @param {Around} [around]
 */
export function shell_of(command, around = {}) {
  const { variables, words } = parts(command, around);
  return variables.map(([name, value]) => `${name}=${quoted(value)} `).join("") + lines(words).join(" \\\n  ");
}

/**
 * For Docker.
 * @param {string} command one line for a shell, as the engine writes it @param {Around} [around]
 */
export function docker_of(command, around = {}) {
  const { variables, words } = parts(command, around);
  const [first, ...rest] = entry(words);
  const devices = around.maker === "amd" ? "--device /dev/kfd --device /dev/dri --group-add video" : `--gpus ${cards(words)}`;
  return [
    `docker run --rm ${devices} --ipc=host -p 8000:8000`,
    "-v ~/.cache/huggingface:/root/.cache/huggingface",
    ["-e HF_TOKEN", ...variables.map(([name, value]) => `-e ${quoted(`${name}=${value}`)}`)].join(" "),
    `--entrypoint ${quoted(first)} ${image(around)}`,
    ...lines(rest),
  ].join(" \\\n  ");
}

/**
 * For Kubernetes.
 * @param {string} command one line for a shell, as the engine writes it @param {Around} [around]
 */
export function kubernetes_of(command, around = {}) {
  const { failures, period_seconds } = startup_budget(around);
  const { variables, words } = parts(command, around);
  const all = entry(words);
  const started = all[1] === "-m" ? 3 : 2;
  const set = variables.flatMap(([name, value]) => [`            - name: ${name}`, `              value: ${JSON.stringify(value)}`]);
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: vllm
spec:
  replicas: 1
  selector:
    matchLabels:
      app: vllm
  template:
    metadata:
      labels:
        app: vllm
    spec:
      containers:
        - name: vllm
          image: ${image(around)}
          command: ${JSON.stringify(all.slice(0, started))}
          args:
${all.slice(started).map((word) => `            - ${JSON.stringify(word)}`).join("\n")}
${set.length ? `          env:\n${set.join("\n")}\n` : ""}          ports:
            - containerPort: 8000
          resources:
            limits:
              ${around.maker === "amd" ? "amd" : "nvidia"}.com/gpu: ${cards(words)}
          startupProbe:
            httpGet:
              path: /health
              port: 8000
            periodSeconds: ${period_seconds}
            failureThreshold: ${failures}
          volumeMounts:
            - name: shm
              mountPath: /dev/shm
      volumes:
        - name: shm
          emptyDir:
            medium: Memory
`;
}

/**
 * The command in one of the forms.
 * @param {string} command one line for a shell, as the engine writes it
 * @param {Around} around
 * @param {"serve" | "docker" | "kubernetes"} form
 */
export function write_command(command, around, form) {
  return { serve: shell_of, docker: docker_of, kubernetes: kubernetes_of }[form](command, around);
}
