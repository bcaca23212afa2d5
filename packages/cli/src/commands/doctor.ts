import {
  BanyanError,
  createLog,
  createPorts,
  createSecretScrubber,
  describeConfig,
  type GatewayChannel,
  type LoadedConfig,
} from "@banyan/core";
import { checkAccounts } from "../doctor/check-accounts.ts";
import { checkConfiguration } from "../doctor/check-configuration.ts";
import { checkDatabase } from "../doctor/check-database.ts";
import { checkDisk } from "../doctor/check-disk.ts";
import { checkEnvironment } from "../doctor/check-environment.ts";
import { checkForeignAgents } from "../doctor/check-foreign-agents.ts";
import { checkModels } from "../doctor/check-models.ts";
import { checkPeople } from "../doctor/check-people.ts";
import { checkServer } from "../doctor/check-server.ts";
import { checkSessions } from "../doctor/check-sessions.ts";
import { checkStateFolder } from "../doctor/check-state-folder.ts";
import { checkWorkspaces } from "../doctor/check-workspaces.ts";
import { type Check, type Finding, listErrorFindings, nameRepeats, runCheck } from "../doctor/finding.ts";
import { formatFinding } from "../doctor/finding-lines.ts";
import { loadChannels } from "../gateway/load-channels.ts";
import { loadConfigHere } from "../gateway/load-gateway-config.ts";
import type { GlobalOptions } from "../global-options.ts";
import { findGateway, findGatewayStatus, orSilent, SilentGateway } from "../state/find-gateway.ts";
import { countOf } from "../terminal/count-of.ts";
import { formatTable } from "../terminal/table.ts";
import { writeJson, writeLines } from "../terminal/write-out.ts";

export interface DoctorOptions extends GlobalOptions {
  readonly json?: boolean;
  readonly values?: boolean;
}

/**
 * `banyan doctor`: looks at everything a gateway needs, says what is wrong and what helps. The exit code is 1 when it
 * found an error. Nothing is changed.
 */
export async function doctor(options: DoctorOptions): Promise<void> {
  const tell = async (findings: readonly Finding[]) => {
    if (!options.json) await writeLines(findings.flatMap((finding) => formatFinding(finding, process.stdout)));
  };
  const loaded = await loadOrFindings(options);
  const findings: Finding[] = [];
  const details: { orphaned?: readonly object[] } = {};
  const checks: readonly (readonly [string, Check])[] =
    "length" in loaded ? [["configuration", () => loaded]] : listChecks(loaded, details);
  for (const [subject, check] of checks) {
    const found = nameRepeats(await runCheck(subject, check), findings);
    findings.push(...found);
    await tell(found);
  }
  const values = "length" in loaded ? [] : describeConfig(loaded);
  const errors = findings.filter(({ level }) => level === "error").length;
  if (errors > 0) process.exitCode = 1;
  if (options.json) return writeJson({ ok: errors === 0, findings, ...details, configuration: values });
  await writeLines(options.values ? formatValues(values) : []);
  await writeLines(formatEnd(findings));
}

/** What the file says wrong is a finding like others, and the end of the examination. */
async function loadOrFindings({ config }: DoctorOptions): Promise<LoadedConfig | readonly Finding[]> {
  try {
    return await loadConfigHere(config);
  } catch (error) {
    if (!(error instanceof BanyanError)) throw error;
    return listErrorFindings("configuration", error);
  }
}

/** In the order in which a start would stumble over them. */
function listChecks(
  loaded: LoadedConfig,
  details: { orphaned?: readonly object[] },
): readonly (readonly [string, Check])[] {
  const { config } = loaded;
  const scrubber = createSecretScrubber(loaded.secrets);
  const ports = createPorts({ log: createLog({ level: "silent", pretty: false, scrubber }) });
  let loading: Promise<readonly GatewayChannel[]> | undefined;
  const channels = () => {
    loading ??= loadChannels(loaded).then((found) => found.channels);
    return loading;
  };
  let finding: ReturnType<typeof findRunning> | undefined;
  const gateway = () => {
    finding ??= findRunning(config.stateDir);
    return finding;
  };
  return [
    ["configuration", () => checkConfiguration(loaded, process.cwd())],
    ["environment", () => checkEnvironment(loaded, process.env)],
    ["state directory", () => checkStateFolder(config.stateDir)],
    ["database", async () => checkDatabase(config, await gateway())],
    ["disk", () => checkDisk(config.stateDir)],
    ["port", async () => checkServer(config, await gateway())],
    [
      "channels",
      async () => {
        const isSilent = (await gateway()) instanceof SilentGateway;
        const running = isSilent ? undefined : await findGatewayStatus(config.stateDir);
        return checkAccounts(await channels(), running, ports);
      },
    ],
    ["models", () => checkModels(config)],
    ["agents", async () => checkForeignAgents(config, await channels(), process.env)],
    ["workspaces", () => checkWorkspaces(loaded, process.env)],
    ["people", async () => checkPeople(loaded, await channels())],
    [
      "sessions",
      async () => {
        const { findings, orphaned } = await checkSessions(loaded, await channels());
        details.orphaned = orphaned;
        return findings;
      },
    ],
  ];
}

function findRunning(stateDir: string) {
  return orSilent(findGateway(stateDir));
}

function formatValues(values: ReturnType<typeof describeConfig>): readonly string[] {
  const rows = values.map(({ path, value, source }) => [path, value, source]);
  return ["", ...formatTable(["SETTING", "VALUE", "FROM"], rows, process.stdout)];
}

function formatEnd(findings: readonly Finding[]): readonly string[] {
  const count = (level: Finding["level"]) => findings.filter((finding) => finding.level === level).length;
  const [errors, warnings] = [count("error"), count("warning")];
  if (errors + warnings === 0) return ["", "  All is well."];
  return ["", `  ${countOf(errors, "error")}, ${countOf(warnings, "warning")}.`];
}
