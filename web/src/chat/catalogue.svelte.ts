// What runs can be made of, read once when somebody first looks: flows, models, tools, workspaces, presets, commands.
import type { Defaults, Flow, Model, Preset, SlashCommand, Tool, Workspace } from 'rein-client';
import { house } from '../lib/house.svelte';

class Catalogue {
  flows = $state.raw<readonly Flow[]>([]);
  defaults = $state.raw<Defaults>();
  models = $state.raw<readonly Model[]>([]);
  tools = $state.raw<readonly Tool[]>([]);
  workspaces = $state.raw<readonly Workspace[]>([]);
  presets = $state.raw<readonly Preset[]>([]);
  /** Why it could not be read. */
  failure = $state.raw<unknown>();
  #read: Promise<void> | undefined;
  readonly #commands = new Map<string, Promise<readonly SlashCommand[]>>();

  /** read reads all of it, if that has not been done. */
  read(): Promise<void> {
    this.failure = undefined;
    this.#read ??= this.#all().catch((err) => {
      this.failure = err;
      this.#read = undefined;
    });
    return this.#read;
  }

  async #all() {
    const rein = house.rein;
    const [flows, models, tools, workspaces] = await Promise.all([rein.listFlows(), rein.listModels(), rein.listTools(), rein.listWorkspaces(), this.readPresets()]);
    this.flows = flows.flows;
    this.defaults = flows.defaults;
    this.models = models.models;
    this.tools = tools.tools;
    this.workspaces = workspaces.workspaces;
  }

  async readPresets() {
    this.presets = (await house.rein.listPresets()).presets;
  }

  /** commands returns the commands that a task in the workspace can begin with. */
  commands(workspace: string): Promise<readonly SlashCommand[]> {
    let found = this.#commands.get(workspace);
    if (!found) {
      found = house.rein.listCommands(workspace).then((list) => list.commands);
      found.catch(() => this.#commands.delete(workspace));
      this.#commands.set(workspace, found);
    }
    return found;
  }
}

export const catalogue = new Catalogue();
