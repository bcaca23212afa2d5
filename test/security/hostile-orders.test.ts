import { expect, test } from "vitest";
import { openHostileGrove } from "../stage/hostile-grove.ts";
import { MINDS } from "../stage/hostile-model.ts";

test.each(MINDS)(
  "attack 1: a model that obeys whoever asks is refused each tool it has not, in the runtime %s",
  async (mind) => {
    const { grove, orders, model } = await openHostileGrove(mind, { main: { tools: { allow: ["read_file"] } } });
    for (const tool of ["exec", "write_file", "sessions_spawn", "__proto__", "Read_File"])
      console.log(mind, await orders(`call ${tool} {"command":"id","path":"x","task":"x"}`));
    const rows = await grove.read((read) => read.audit({ limit: 20 }));
    console.log(rows.map((r) => JSON.stringify(r)).join("\n"));
    console.log(model.given().at(-1), model.instructed().at(-1));
  },
);
