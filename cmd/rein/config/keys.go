package config

import (
	"slices"
	"time"

	"rein"
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

// Keys is all that can be set, in the order of the documentation.
func Keys() []Key {
	return append([]Key{
		{"default_flow", "REIN_FLOW", "--flow", "how `rein run` works: the name of a flow", text(func(c *Config) *string { return &c.Flow }, notEmpty)},
		{"model", "REIN_MODEL", "--model", "who answers: \"offline\", or a name of yours from [models]", text(func(c *Config) *string { return &c.Model }, notEmpty)},
		{"fallback", "", "", "models that are asked in place of one that fails, in order", names(func(c *Config) *[]string { return &c.Fallback })},
		{"embedder", "REIN_EMBEDDER", "", "who makes vectors of texts: a name of yours from [models], of kind \"openai\", or \"ollama/NAME\"; empty: the built-in ones", text(func(c *Config) *string { return &c.Embedder }, anything)},
		{"prices", "REIN_PRICES", "", "a file with prices of your own, in the form of model/price/prices.toml; by default the built-in ones", path(func(c *Config) *string { return &c.Prices })},
		{"data", "REIN_DATA", "--data", "the data folder", path(func(c *Config) *string { return &c.Data })},
		{"language", "REIN_LANGUAGE", "", "the language that you want answers in, such as \"en\" or \"pt-BR\"; empty: not said", text(func(c *Config) *string { return &c.Language }, isLanguage)},
		{"zone", "REIN_ZONE", "", "your time zone, such as \"Europe/Lisbon\"; by default the system's", text(func(c *Config) *string { return &c.Zone }, isZone)},
		{"vault", "REIN_VAULT", "--vault", "your folder of notes in Markdown; empty: there is none", path(func(c *Config) *string { return &c.Notes.Vault })},
		{"texts", "REIN_TEXTS", "", "the folder of SOUL.md, prompts/, rules/ and skills/; by default the one of rein.toml", path(func(c *Config) *string { return &c.Texts })},
	}, slices.Concat(sections(), notesSections(), flowSections(), modelSections(), serverSections())...)
}

func sections() []Key {
	most := rein.MaxBudget()
	return []Key{
		{"budget.rounds", "REIN_BUDGET_ROUNDS", "", "rounds of model calls that a run and its children may take", whole(func(c *Config) *int64 { return &c.Budget.Rounds }, 1, most.Rounds)},
		{"budget.tool_calls", "REIN_BUDGET_TOOL_CALLS", "", "tool calls", whole(func(c *Config) *int64 { return &c.Budget.ToolCalls }, 1, most.ToolCalls)},
		{"budget.tokens", "REIN_BUDGET_TOKENS", "", "tokens, read and written", whole(func(c *Config) *int64 { return &c.Budget.Tokens }, 1, most.Tokens)},
		{"budget.money", "REIN_BUDGET_MONEY", "", "money, in the currency of your prices", money(func(c *Config) *int64 { return &c.Budget.Micros }, 1, most.Micros)},
		{"budget.minutes", "REIN_BUDGET_MINUTES", "", "minutes in model and tool calls; waiting for people is free", number(1, most.DrivenMS/minute, func(c *Config) int64 { return c.Budget.DrivenMS / minute }, func(c *Config, n int64) { c.Budget.DrivenMS = n * minute })},
		{"budget.runs", "REIN_BUDGET_RUNS", "", "runs in the tree, the first one too", whole(func(c *Config) *int64 { return &c.Budget.Runs }, 1, most.Runs)},
		{"budget.depth", "REIN_BUDGET_DEPTH", "", "how deep the tree may grow; 0: no children", number(0, int64(most.Depth), func(c *Config) int64 { return int64(c.Budget.Depth) }, func(c *Config, n int64) { c.Budget.Depth = int(n) })},

		{"tools.root", "REIN_TOOLS_ROOT", "--root", "the folder that read_file and list_directory may see; without it `rein run` takes the current one, and `rein serve` has no file tools", path(func(c *Config) *string { return &c.Tools.Root })},
		{"tools.force_root", "REIN_TOOLS_FORCE_ROOT", "--force-root", "use that folder also if it is /, a home folder, or holds the data folder", boolean(func(c *Config) *bool { return &c.Tools.ForceRoot })},
		{"tools.timeout", "REIN_TOOLS_TIMEOUT", "", "how long a tool may take that sets no time itself", duration(func(c *Config) *time.Duration { return &c.Tools.Timeout }, time.Millisecond, maxTimeout)},
		{"tools.clip_bytes", "REIN_TOOLS_CLIP_BYTES", "", "how much of a long result the model is shown; the whole is kept", whole(func(c *Config) *int64 { return &c.Tools.ClipBytes }, 200, maxClip)},
		{"tools.allow", "", "--yes-to", "tools that need no approval though they want it", names(func(c *Config) *[]string { return &c.Tools.Policy.Allow })},
		{"tools.ask", "", "", "tools that need approval though they do not want it", names(func(c *Config) *[]string { return &c.Tools.Policy.Ask })},
		{"tools.deny", "", "", "tools that are not offered, and refused if called", names(func(c *Config) *[]string { return &c.Tools.Policy.Deny })},
		{"tools.approval_timeout", "REIN_TOOLS_APPROVAL_TIMEOUT", "", "how long an approval waits for a person, such as \"24h\"; \"0s\": for ever", duration(func(c *Config) *time.Duration { return &c.Tools.Policy.Timeout }, 0, maxApproval)},
		{"tools.on_expiry", "REIN_TOOLS_ON_EXPIRY", "", "what then happens: deny (the call is refused and the run goes on; so if empty), stop (the run ends) or park (it stays open)", choice(func(c *Config) *string { return (*string)(&c.Tools.Policy.OnExpiry) }, expiries)},

		{"redact.patterns", "", "", "shapes of secrets, beside the well-known ones: {name = \"…\", regexp = \"…\"}, and block = true to withhold the whole text", patterns{}},
		{"redact.env", "", "", "environment variables whose values are secrets", names(func(c *Config) *[]string { return &c.Redact.Env })},
	}
}

func modelSections() []Key {
	return slices.Concat(paceSections(), limitSections(), []Key{
		{"models", "", "", "a model of your own: [models.NAME] with kind (\"openai\", \"anthropic\", \"script\" or \"offline\"); docs/models.md says what each takes", models{}},
	})
}

func paceSections() []Key {
	return []Key{
		{"limits.requests", "REIN_LIMITS_REQUESTS", "", "requests a minute to one account and model of a provider, until it tells its own limits; 0: no limit is known. Servers on this machine have none", whole(func(c *Config) *int64 { return &c.Limits.Requests }, 0, 1_000_000)},
		{"limits.tokens", "REIN_LIMITS_TOKENS", "", "tokens a minute, likewise", whole(func(c *Config) *int64 { return &c.Limits.Tokens }, 0, 1_000_000_000)},
		{"limits.calls", "REIN_LIMITS_CALLS", "", "model calls that one account of a provider may have under way at a time; households, users and their runs take turns", whole(func(c *Config) *int64 { return &c.Limits.Calls }, 1, 100_000)},
		{"limits.all_calls", "REIN_LIMITS_ALL_CALLS", "", "model calls that the whole process may have under way at a time, likewise", whole(func(c *Config) *int64 { return &c.Limits.AllCalls }, 1, 100_000)},
	}
}

var expiries = []string{"", string(rein.ExpiryDeny), string(rein.ExpiryStop), string(rein.ExpiryPark)}

var renderings = []string{"auto", string(rein.RenderNative), string(rein.RenderText), string(rein.RenderJSON), string(rein.RenderLog)}

// defaults returns the config of someone who has set nothing.
func defaults(env Environment) *Config {
	return &Config{
		Flow: "answer", Model: KindOffline, Data: env.dataFolder(), Zone: env.zone(),
		Budget: rein.DefaultBudget(),
		Tools:  Tools{Timeout: time.Minute, ClipBytes: 16000},
		Flows:  defaultFlows(),
		Limits: defaultLimits(),
		Texts:  env.textsFolder(),
		Models: map[string]Model{},
		Notes:  Notes{Vectors: true},
		Server: Server{Listen: "127.0.0.1:7717"}, Telemetry: Telemetry{Metrics: true},
		Webhooks: map[string]Webhook{}, Presets: map[string]Preset{}, Workspaces: map[string]Workspace{},
		sources: map[string]Source{},
	}
}
