import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer, type AddressInfo, type Server as TCP, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject, onTestFinished } from "vitest";
import { Rein } from "../src/index.ts";

/** A Server is a real rein serve on a data folder of its own. */
export class Server {
  readonly folder = mkdtempSync(join(tmpdir(), "rein-test-"));
  token = "";
  #child: ChildProcess | undefined;
  #address = "";
  #listen = "127.0.0.1:0";

  /** Starts a server whose model plays a script, or is the offline one. */
  static async start(options: { script?: string; config?: string } = {}): Promise<Server> {
    const s = new Server();
    onTestFinished(() => s.close());
    let config = "";
    if (options.script !== undefined) {
      writeFileSync(join(s.folder, "script.txt"), options.script);
      config = `model = "play"\n`;
    }
    config += options.config ?? "";
    if (options.script !== undefined) config += `\n[models.play]\nkind = "script"\nfile = ${JSON.stringify(join(s.folder, "script.txt"))}\n`;
    writeFileSync(join(s.folder, "rein.toml"), config);
    mkdirSync(join(s.folder, "root"));
    await s.up();
    s.token = (JSON.parse(s.rein("tokens", "new", "test", "--json")) as { text: string }).text;
    return s;
  }

  get url(): string {
    return `http://${this.#address}`;
  }

  get root(): string {
    return join(this.folder, "root");
  }

  client(base = this.url): Rein {
    return new Rein({ base, token: this.token });
  }

  /** Runs a command of rein on the data folder. */
  rein(...args: string[]): string {
    return execFileSync(inject("rein"), [...args, "--data", join(this.folder, "data")], { env: this.#env(), encoding: "utf8" });
  }

  #env(): NodeJS.ProcessEnv {
    return { PATH: process.env["PATH"], HOME: this.folder, XDG_CONFIG_HOME: this.folder };
  }

  /** Starts the process, on the same address as before. */
  async up(): Promise<void> {
    const args = ["serve", "--listen", this.#listen, "--data", join(this.folder, "data"), "--config", join(this.folder, "rein.toml"), "--root", this.root];
    const child = spawn(inject("rein"), args, { env: this.#env(), stdio: ["ignore", "pipe", "pipe"] });
    this.#child = child;
    let said = "";
    await new Promise<void>((resolve, reject) => {
      const hear = (data: Buffer) => {
        said += data;
        const found = /http:\/\/(127\.0\.0\.1:\d+)/.exec(said);
        if (found) {
          this.#address = this.#listen = found[1]!;
          resolve();
        }
      };
      child.stdout.on("data", hear);
      child.stderr.on("data", hear);
      child.once("exit", (code) => reject(new Error(`rein serve ended with ${code}: ${said}`)));
    });
  }

  /** Kills the process as a crash does. */
  async kill(): Promise<void> {
    const child = this.#child!;
    const over = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    child.kill("SIGKILL");
    await over;
  }

  async close(): Promise<void> {
    if (this.#child?.exitCode === null && this.#child.signalCode === null) await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A Proxy stands between a client and a server, and can cut what goes through it. */
export class Proxy {
  readonly #sockets = new Set<Socket>();
  readonly #tcp: TCP;
  refuses = false;

  static async before(server: Server): Promise<Proxy> {
    const p = new Proxy(server);
    await new Promise<void>((resolve) => p.#tcp.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => p.close());
    return p;
  }

  private constructor(server: Server) {
    this.#tcp = createServer((from) => {
      if (this.refuses) return from.destroy();
      const { hostname, port } = new URL(server.url);
      const to = connect(Number(port), hostname);
      for (const [a, b] of [[from, to], [to, from]] as const) {
        this.#sockets.add(a);
        a.pipe(b);
        a.on("error", () => b.destroy());
        a.on("close", () => {
          this.#sockets.delete(a);
          b.destroy();
        });
      }
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#tcp.address() as AddressInfo).port}`;
  }

  /** Cuts all connections that are open. */
  cut(): void {
    for (const s of this.#sockets) s.destroy();
  }

  close(): void {
    this.cut();
    this.#tcp.close();
  }
}
