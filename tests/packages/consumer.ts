// What a typed program does with the package; `tests/packages/test_npm.py` lets tsc read it.

import { PoolRoom, PoolRoomValue } from "poolroom";
import notebook from "poolroom/anywidget";
import { SimError, describe, room, serve, Request, type Run } from "poolroom/sim";

const here = room(90, 8000);
const blocks: number = here.blocks;
const line: string = describe(90, 8000, 64).run;
const run: Run = serve([Request(0, 429, 127)], 64, blocks, 8000);
const rate: number | null = run.tokens_per_second;
const problem = new SimError("share", 0, "whole_from", { least: 1 });

const widget: PoolRoom = document.createElement("pool-room");
widget.settings = { share: 48 };
widget.addEventListener("poolroom-change", (event) => {
  const share: number = event.detail.settings.share;
  const words: string = event.detail.result.room;
  console.log(share, words, line, rate, problem.setting);
});
const value: PoolRoomValue | null = document.querySelector("pool-room-value");
const render: (host: { model: any; el: HTMLElement }) => () => void = notebook.render;
console.log(value, render);

// @ts-expect-error a name that is not there
here.seats;
// @ts-expect-error a text where a number is wanted
room("90", 8000);
// @ts-expect-error a setting that is not there
widget.settings = { seats: 48 };
