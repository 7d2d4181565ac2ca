/**
 * The program of `--exec`: started with its exporter pointed at the receiver, stopped when we are.
 *
 * @module
 */
import { type ChildProcess, spawn } from "node:child_process";
import type { CliIo, StopSignal } from "../io.ts";

/** How a program ended. */
export interface ProgramEnd {
  /** `null` when a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A program that runs. */
export interface Program {
  readonly ended: Promise<ProgramEnd>;
  /** Asks it to end; after ten seconds it is not asked any more. */
  stop(signal: StopSignal): void;
}

const GRACE_MILLISECONDS = 10_000;

/** How to start a program. */
export interface ProgramOptions {
  /** Where its spans go. */
  readonly endpoint: string;
  /** Standard output is for a report alone; what the program prints goes to stderr. */
  readonly keepStdoutFree: boolean;
}

/** Starts a shell command. */
export function startProgram(
  command: string,
  { endpoint, keepStdoutFree }: ProgramOptions,
  io: CliIo,
): Program {
  // On a terminal the program is in our group, so that it may read, and gets Ctrl-C from the terminal itself.
  // Elsewhere it gets a group of its own, so that a signal reaches everything that the shell started.
  const ownGroup = io.stdin.isTTY !== true && process.platform !== "win32";
  const child = spawn(command, {
    shell: true,
    cwd: io.cwd,
    env: exporterEnvironment(io.env, endpoint),
    stdio: ["inherit", keepStdoutFree ? 2 : 1, 2],
    detached: ownGroup,
  });
  const ended = new Promise<ProgramEnd>((resolve) => {
    child.once("exit", (code, signal) => resolve({ code, signal }));
    // The shell itself could not be started: as if it had not found the program.
    child.once("error", () => resolve({ code: 127, signal: null }));
  });
  return {
    ended,
    stop(signal) {
      if (ownGroup || signal !== "SIGINT") send(child, signal, ownGroup);
      const timer = setTimeout(() => send(child, "SIGKILL", ownGroup), GRACE_MILLISECONDS);
      void ended.then(() => clearTimeout(timer));
    },
  };
}

function send(child: ChildProcess, signal: NodeJS.Signals, toGroup: boolean): void {
  try {
    if (toGroup && child.pid !== undefined) process.kill(-child.pid, signal);
    else child.kill(signal);
  } catch {
    // It has ended meanwhile.
  }
}

/**
 * The environment in which an exporter sends its traces to `endpoint`: more special variables would win over the
 * general one, and gRPC is not received.
 */
function exporterEnvironment(
  env: CliIo["env"],
  endpoint: string,
): Readonly<Record<string, string | undefined>> {
  const { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: traces, ...rest } = env;
  const general = env.OTEL_EXPORTER_OTLP_PROTOCOL;
  const protocol = [traces, general].find((value) => value?.startsWith("http/")) ?? "http/protobuf";
  return { ...rest, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: protocol };
}
