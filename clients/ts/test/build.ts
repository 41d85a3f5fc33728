import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    /** The program rein, built from this repository. */
    rein: string;
  }
}

/** Builds rein once for all tests. */
export default function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), "rein-client-"));
  const program = join(folder, "rein");
  execFileSync("go", ["build", "-o", program, "./cmd/rein"], { cwd: join(import.meta.dirname, "../../.."), stdio: "inherit" });
  project.provide("rein", program);
  return () => rmSync(folder, { recursive: true, force: true });
}
