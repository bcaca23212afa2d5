import { expect, it } from "vitest";
import { createListFilesTool } from "../../src/tools/files/list-files.ts";
import { createReadFileTool } from "../../src/tools/files/read-file.ts";
import { createToolRegistry } from "../../src/tools/registry.ts";

it("lists what the policies allow, by name, each with a JSON Schema object", () => {
  const registry = createToolRegistry([createReadFileTool({ scrub: (text) => text }), createListFilesTool()]);
  expect(registry.list([]).map(({ name }) => name)).toEqual(["list_files", "read_file"]);
  expect(registry.list([{ deny: ["list_files"] }]).map(({ name }) => name)).toEqual(["read_file"]);
  expect(registry.find("list_files")?.description.parameters).toMatchObject({
    type: "object",
    required: ["dir"],
    additionalProperties: false,
    properties: { dir: { type: "string" }, depth: { type: "integer", minimum: 1, maximum: 32 } },
  });
  expect(registry.find("toString")).toBeUndefined();
});

it("refuses two tools of one name and a name no agent could call", () => {
  const tool = createReadFileTool({ scrub: (text) => text });
  expect(() => createToolRegistry([tool, tool])).toThrow("Registering the tool read_file: there is one already");
  const unnamed = { ...tool, description: { ...tool.description, name: "read file" } };
  expect(() => createToolRegistry([unnamed])).toThrow('Registering the tool "read file": its name must match');
});
