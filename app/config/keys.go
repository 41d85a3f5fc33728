package config

import (
	"slices"
	"time"

	"rein"
	"rein/flow"
	"rein/flow/kit"
	"rein/model/price"
	"rein/tool/mcp/spec"
)

// A Key is one thing that can be set. NAME in its name stands for a name that the user chooses.
type Key struct {
	Name string
	Env  string // the environment variable that sets it, if there is one
	Flag string // the flag that sets it, if there is one
	Doc  string // in one line

	setting setting
}

// The most that some numbers may be.
const (
	maxTimeout  = time.Hour
	maxClip     = 10 << 20
	maxApproval = 365 * 24 * time.Hour
)

const minute = int64(time.Minute / time.Millisecond)

// Keys is all that can be set in rein itself, in the order of the documentation.
func Keys() []Key { return keysOf(flow.Kinds()) }

// Keys is all that can be set, with the settings of the program's own flows.
func (c *Config) Keys() []Key { return keysOf(c.kinds) }

func keysOf(kinds flow.Table) []Key {
	return append([]Key{
		{"default_flow", "REIN_FLOW", "--flow", "the flow of a run that names none", text(func(c *Config) *string { return &c.Flow }, notEmpty)},
		{"model", "REIN_MODEL", "--model", "the model that answers: \"offline\", a name from [models], or \"ollama/NAME\"; without it a provider whose key is in the environment, as docs/models.md lists them, or \"offline\"", text(func(c *Config) *string { return &c.Model }, notEmpty)},
		{"fallback", "", "", "models to try, in order, when the chosen one fails", names(func(c *Config) *[]string { return &c.Fallback })},
		{"embedder", "REIN_EMBEDDER", "", "the model that makes vectors of texts: a name from [models] of kind \"openai\", or \"ollama/NAME\"; empty: the built-in one", text(func(c *Config) *string { return &c.Embedder }, anything)},
		{"prices", "REIN_PRICES", "", "a file with your own prices, in the format of model/price/prices.toml; without it the built-in prices count", path(func(c *Config) *string { return &c.Prices })},
		{"currency", "REIN_CURRENCY", "", "the currency of the prices of your models, of budgets and of limits, as a code of ISO 4217 such as \"EUR\"; rein converts nothing, and the built-in prices are in US dollars", text(func(c *Config) *string { return &c.Currency }, isCurrency)},
		{"data", "REIN_DATA", "--data", "the data folder", path(func(c *Config) *string { return &c.Data })},
		{"secret_key_file", "REIN_SECRET_KEY_FILE", "--secret-key", "the file with the key that secrets are sealed with, mode 0600; several nodes name the same one. Empty: secret.key in the data folder, made with the first secret", path(func(c *Config) *string { return &c.SecretKeyFile })},
		{"language", "REIN_LANGUAGE", "", "the language you want answers in, such as \"en\" or \"pt-BR\"; empty: the model decides", text(func(c *Config) *string { return &c.Language }, isLanguage)},
		{"zone", "REIN_ZONE", "", "your time zone, such as \"Europe/Lisbon\"; by default the system's", text(func(c *Config) *string { return &c.Zone }, isZone)},
		{"vault", "REIN_VAULT", "--vault", "your folder of Markdown notes; empty: none", path(func(c *Config) *string { return &c.Notes.Vault })},
		{"texts", "REIN_TEXTS", "", "the folder with SOUL.md, prompts/, rules/, skills/ and commands/; by default the folder of rein.toml", path(func(c *Config) *string { return &c.Texts })},
		{"agent_reason_prompt_filename", "REIN_AGENT_REASON_PROMPT_FILENAME", "", "the file in prompts/ that holds the reason prompt of the flow strict", text(func(c *Config) *string { return &c.ReasonPrompt }, isPromptFile)},
		{"agent_observe_prompt_filename", "REIN_AGENT_OBSERVE_PROMPT_FILENAME", "", "the file in prompts/ that holds the observe prompt of the flow strict", text(func(c *Config) *string { return &c.ObservePrompt }, isPromptFile)},
	}, slices.Concat(sections(), shellSections(), webSections(), notesSections(), flowSections(kinds), modelSections(), scheduleSections(), ownerSections(), serverSections(), mailSections(), telegramSections(), hookSections(), mcpSections())...)
}

func sections() []Key {
	most := rein.MaxBudget()
	return []Key{
		{"budget.rounds", "REIN_BUDGET_ROUNDS", "", "rounds of model calls that a run and its children may use", whole(func(c *Config) *int64 { return &c.Budget.Rounds }, 1, most.Rounds)},
		{"budget.tool_calls", "REIN_BUDGET_TOOL_CALLS", "", "tool calls that they may make", whole(func(c *Config) *int64 { return &c.Budget.ToolCalls }, 1, most.ToolCalls)},
		{"budget.tokens", "REIN_BUDGET_TOKENS", "", "tokens that they may read and write", whole(func(c *Config) *int64 { return &c.Budget.Tokens }, 1, most.Tokens)},
		{"budget.money", "REIN_BUDGET_MONEY", "", "money that they may spend, in your currency", money(func(c *Config) *int64 { return &c.Budget.Micros }, 1, most.Micros)},
		{"budget.minutes", "REIN_BUDGET_MINUTES", "", "minutes that they may spend in model and tool calls; waiting for people is free", number(1, most.DrivenMS/minute, func(c *Config) int64 { return c.Budget.DrivenMS / minute }, func(c *Config, n int64) { c.Budget.DrivenMS = n * minute })},
		{"budget.runs", "REIN_BUDGET_RUNS", "", "runs in the tree, including the first", whole(func(c *Config) *int64 { return &c.Budget.Runs }, 1, most.Runs)},
		{"budget.depth", "REIN_BUDGET_DEPTH", "", "how deep the tree of runs may grow; 0: no children", number(0, int64(most.Depth), func(c *Config) int64 { return int64(c.Budget.Depth) }, func(c *Config, n int64) { c.Budget.Depth = int(n) })},

		{"tools.root", "REIN_TOOLS_ROOT", "--root", "the folder that the file tools (read_file, write_file, grep and others) can see and change; without it `rein run` uses the current folder, and `rein serve` has no file tools", path(func(c *Config) *string { return &c.Tools.Root })},
		{"tools.force_root", "REIN_TOOLS_FORCE_ROOT", "--force-root", "use that folder even if it is /, a home folder, or contains the data folder", boolean(func(c *Config) *bool { return &c.Tools.ForceRoot })},
		{"tools.timeout", "REIN_TOOLS_TIMEOUT", "", "how long a call of a tool may take if the tool does not say", duration(func(c *Config) *time.Duration { return &c.Tools.Timeout }, time.Millisecond, maxTimeout)},
		{"tools.clip_bytes", "REIN_TOOLS_CLIP_BYTES", "", "how many bytes of a long result the model sees; the log keeps all of it", whole(func(c *Config) *int64 { return &c.Tools.ClipBytes }, 200, maxClip)},
		{"tools.undo_megabytes", "REIN_TOOLS_UNDO_MEGABYTES", "", "how much rein keeps for each user of what files held before tools changed them, to undo it; the oldest goes first", number(1, maxStored, func(c *Config) int64 { return c.Tools.UndoBytes / megabyte }, func(c *Config, n int64) { c.Tools.UndoBytes = n * megabyte })},
		{"tools.allow", "", "--yes-to", "tools that run without approval even if they ask for it", names(func(c *Config) *[]string { return &c.Tools.Policy.Allow })},
		{"tools.ask", "", "", "tools that need approval even if they do not ask for it", names(func(c *Config) *[]string { return &c.Tools.Policy.Ask })},
		{"tools.deny", "", "", "tools that are not offered, and refused if called", names(func(c *Config) *[]string { return &c.Tools.Policy.Deny })},
		{"tools.approval_timeout", "REIN_TOOLS_APPROVAL_TIMEOUT", "", "how long an approval waits for a person, such as \"24h\"; \"0s\": without a limit", duration(func(c *Config) *time.Duration { return &c.Tools.Policy.Timeout }, 0, maxApproval)},
		{"tools.on_expiry", "REIN_TOOLS_ON_EXPIRY", "", "what happens then: deny (refuse the call and continue; the default), stop (end the run) or park (keep it open)", choice(func(c *Config) *string { return (*string)(&c.Tools.Policy.OnExpiry) }, expiries)},

		{"approvals.mode", "REIN_APPROVALS_MODE", "", "the mode in which a session starts: plan, ask, edits or sandbox", choice(func(c *Config) *string { return (*string)(&c.Approvals.Mode) }, modes)},
		{"approvals.loosest", "REIN_APPROVALS_LOOSEST", "", "the loosest mode that anyone can choose: ask, edits or sandbox", choice(func(c *Config) *string { return (*string)(&c.Approvals.Loosest) }, modes[1:])},

		{"redact.patterns", "", "", "patterns of secrets to remove, in addition to the well-known ones: {name = \"…\", regexp = \"…\"}; block = true withholds the whole text", patterns{}},
		{"redact.env", "", "", "environment variables whose values are secrets", names(func(c *Config) *[]string { return &c.Redact.Env })},
	}
}

func modelSections() []Key {
	return slices.Concat(paceSections(), limitSections(), roleSections(), []Key{
		{"models", "", "", "a model: [models.NAME] with kind (\"openai\", \"anthropic\", \"script\" or \"offline\"); docs/models.md explains each key", models{}},
	})
}

func paceSections() []Key {
	return []Key{
		{"limits.requests", "REIN_LIMITS_REQUESTS", "", "requests a minute to one account and model of a provider, until it reports its own limits; 0: no limit. Servers on this machine have none", whole(func(c *Config) *int64 { return &c.Limits.Requests }, 0, 1_000_000)},
		{"limits.tokens", "REIN_LIMITS_TOKENS", "", "tokens a minute to one account and model of a provider; 0: no limit", whole(func(c *Config) *int64 { return &c.Limits.Tokens }, 0, 1_000_000_000)},
		{"limits.calls", "REIN_LIMITS_CALLS", "", "model calls to one account of a provider that may run at a time; households, users and their runs take turns", whole(func(c *Config) *int64 { return &c.Limits.Calls }, 1, 100_000)},
		{"limits.all_calls", "REIN_LIMITS_ALL_CALLS", "", "model calls that may run at a time in the whole process; households, users and their runs take turns", whole(func(c *Config) *int64 { return &c.Limits.AllCalls }, 1, 100_000)},
	}
}

// modes are in the order from strict to loose.
var modes = []string{string(rein.ModePlan), string(rein.ModeAsk), string(rein.ModeEdits), string(rein.ModeSandbox)}

var expiries = []string{"", string(rein.ExpiryDeny), string(rein.ExpiryStop), string(rein.ExpiryPark)}

// defaults returns the config of someone who has set nothing.
func defaults(env Environment, own ...kit.Kind) *Config {
	c := &Config{
		Flow: "answer", Model: KindOffline, Data: env.dataFolder(), Zone: env.zone(), Currency: price.Currency,
		Budget:    rein.DefaultBudget(),
		Tools:     Tools{Timeout: time.Minute, ClipBytes: 16000, UndoBytes: 500 * megabyte},
		Shell:     defaultShell(),
		Web:       Web{Timeout: 20 * time.Second},
		Approvals: Approvals{Mode: rein.ModeAsk, Loosest: rein.ModeSandbox},
		Limits:    defaultLimits(),
		Roles:     defaultRoles(),
		Schedule:  Schedule{Failures: 5, Micros: 20_000_000},
		Texts:     env.textsFolder(), ReasonPrompt: reasonPrompt + ".md", ObservePrompt: observePrompt + ".md",
		Models: map[string]Model{},
		Notes:  Notes{Vectors: true}, Owner: Owner{Background: true, Idle: 10 * time.Minute},
		Server: Server{Listen: "127.0.0.1:7717"}, Telemetry: Telemetry{Metrics: true}, Mail: Mail{TLS: "starttls"},
		Webhooks: map[string]Webhook{}, Presets: map[string]Preset{}, Workspaces: map[string]Workspace{}, MCP: map[string]spec.Server{},
		sources: map[string]Source{},
	}
	c.setFlows(append(flow.Kinds(), own...))
	return c
}
