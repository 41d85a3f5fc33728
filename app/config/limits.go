package config

import (
	"rein"
	"rein/store"
)

// Limits is what may be used: of providers, by users and households, and by one run.
type Limits struct {
	// What an account may be sent in a minute, until its provider says otherwise; zero: not known.
	Requests, Tokens int64
	// How many model calls an account, and the process, may have under way.
	Calls, AllCalls int64
	// What a user and a household may use; zero parts are no limit.
	Accounts store.Limits
	// Run is the largest budget that a run may ask for.
	Run rein.Budget
}

// defaultLimits are far beyond what a family uses, and keep one member from taking everything.
func defaultLimits() Limits {
	usual := rein.DefaultBudget()
	parts := usual.Parts()
	for i := range parts {
		parts[i] *= 10
	}
	return Limits{
		Calls: 128, AllCalls: 512,
		Accounts: store.Limits{
			User:      rein.Quota{Driven: 64, Frames: 3600, Bytes: 10_000 * megabyte, Tokens: 500_000_000, Micros: 100_000_000},
			Household: rein.Quota{Driven: 256, Frames: 20_000, Bytes: 50_000 * megabyte, Tokens: 2_000_000_000, Micros: 300_000_000},
		},
		Run: rein.Budget{Amount: rein.AmountOf(parts), Depth: 8},
	}
}

const megabyte = 1_000_000

// The most that limits can be set to.
const (
	maxDriven = 100_000
	maxFrames = 10_000_000
	maxStored = 100_000_000 // megabytes
	maxTokens = 1_000_000_000_000
	maxMoney  = 1_000_000_000_000 // millionths
)

func limitSections() []Key {
	most := rein.MaxBudget()
	run := func(c *Config) *rein.Budget { return &c.Limits.Run }
	keys := []Key{
		{"limits.run.rounds", "", "", "the largest budget.rounds that a task may ask for", whole(func(c *Config) *int64 { return &run(c).Rounds }, 1, most.Rounds)},
		{"limits.run.tool_calls", "", "", "the largest budget.tool_calls that a task may ask for", whole(func(c *Config) *int64 { return &run(c).ToolCalls }, 1, most.ToolCalls)},
		{"limits.run.tokens", "", "", "the largest budget.tokens that a task may ask for", whole(func(c *Config) *int64 { return &run(c).Tokens }, 1, most.Tokens)},
		{"limits.run.money", "", "", "the largest budget.money that a task may ask for", money(func(c *Config) *int64 { return &run(c).Micros }, 1, most.Micros)},
		{"limits.run.minutes", "", "", "the largest budget.minutes that a task may ask for", number(1, most.DrivenMS/minute, func(c *Config) int64 { return run(c).DrivenMS / minute }, func(c *Config, n int64) { run(c).DrivenMS = n * minute })},
		{"limits.run.runs", "", "", "the largest budget.runs that a task may ask for", whole(func(c *Config) *int64 { return &run(c).Runs }, 1, most.Runs)},
		{"limits.run.depth", "", "", "the largest budget.depth that a task may ask for", number(0, int64(most.Depth), func(c *Config) int64 { return int64(run(c).Depth) }, func(c *Config, n int64) { run(c).Depth = int(n) })},
	}
	keys = append(keys, accountKeys("user", "a user", func(c *Config) *rein.Quota { return &c.Limits.Accounts.User })...)
	return append(keys, accountKeys("household", "all users of the household together", func(c *Config) *rein.Quota { return &c.Limits.Accounts.Household })...)
}

func accountKeys(name, who string, of func(*Config) *rein.Quota) []Key {
	key := func(part, doc string, s setting) Key { return Key{"limits." + name + "." + part, "", "", doc, s} }
	return []Key{
		key("driven", "runs that "+who+" may have running at a time; runs that wait do not count; 0: no limit", whole(func(c *Config) *int64 { return &of(c).Driven }, 0, maxDriven)),
		key("frames", "runs that "+who+" may start and messages they may send in an hour; 0: no limit", whole(func(c *Config) *int64 { return &of(c).Frames }, 0, maxFrames)),
		key("megabytes", "what "+who+" may keep in logs, session files and staged notes; 0: no limit", number(0, maxStored, func(c *Config) int64 { return of(c).Bytes / megabyte }, func(c *Config, n int64) { of(c).Bytes = n * megabyte })),
		key("day_tokens", "tokens that "+who+" may use in a UTC day; 0: no limit", whole(func(c *Config) *int64 { return &of(c).Tokens }, 0, maxTokens)),
		key("day_money", "money that "+who+" may spend in a UTC day, in your currency; 0: no limit", money(func(c *Config) *int64 { return &of(c).Micros }, 0, maxMoney)),
	}
}

// limitsFit checks what limits and budgets cannot know alone. A ceiling that nobody has set gives way to
// a larger budget: that is what whoever wrote the file wants.
func (l *loading) limitsFit() {
	c := l.config
	budget, ceiling := c.Budget.Parts(), c.Limits.Run.Parts()
	for i, key := range budgetKeys {
		l.ceilingFits(key, budget[i], &ceiling[i])
	}
	c.Limits.Run.Amount = rein.AmountOf(ceiling)
	depth := int64(c.Limits.Run.Depth)
	l.ceilingFits("depth", int64(c.Budget.Depth), &depth)
	c.Limits.Run.Depth = int(depth)
	l.accountsFit()
	l.presetsFit()
}

// budgetKeys names the parts of a budget as the settings do, in the order of rein.Dimensions.
var budgetKeys = []string{"rounds", "tool_calls", "tokens", "money", "minutes", "runs"}

func (l *loading) ceilingFits(key string, budget int64, ceiling *int64) {
	source, set := l.config.sources["limits.run."+key]
	switch {
	case budget <= *ceiling:
	case !set:
		*ceiling = budget
	default:
		l.problems.add(source, "limits.run.%s is less than budget.%s, which every run gets: raise the one or lower the other", key, key)
	}
}

// accountsFit wants a user to have no more than the household: else the smaller limit is the one that
// counts, and the larger is a mistake.
func (l *loading) accountsFit() {
	user, house := l.config.Limits.Accounts.User.Parts(), l.config.Limits.Accounts.Household.Parts()
	for i, key := range []string{"driven", "frames", "megabytes", "day_tokens", "day_money"} {
		source, set := l.config.sources["limits.user."+key]
		if set && house[i] > 0 && user[i] > house[i] {
			l.problems.add(source, "limits.user.%s is more than limits.household.%s: a user cannot have more than all of them together", key, key)
		}
	}
}

// presetsFit wants the budgets of presets below the ceiling.
func (l *loading) presetsFit() {
	for _, name := range l.config.presetNames() {
		task := l.config.Presets[name].Task(l.config.Limits.Run) // what it does not name fits
		if task.Budget == nil {
			continue
		}
		if err := task.Budget.Check(l.config.Limits.Run); err != nil {
			l.problems.add(l.config.sources["presets."+name+".budget"], "presets.%s: %v: lower it, or raise limits.run", name, err)
		}
	}
}
