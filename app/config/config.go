// Package config reads the settings. A flag overrides an environment variable, which overrides
// rein.toml, which overrides the default. Every key is a row of one table; the checks, the example
// file and docs/configuration.md are made from it. Load reports all problems at once, each with its
// place.
package config

import (
	"fmt"
	"regexp"
	"time"

	"rein"
	"rein/flow"
	"rein/flow/kit"
	"rein/tool/mcp/spec"
)

// A Config is what rein works with.
type Config struct {
	File string // the file that was read; empty: there is none
	Path string // where that file is looked for; empty: there is no home folder

	Flow  string
	Model string
	Data  string // the data folder; empty: there is no home folder to put it in
	// SecretKeyFile has the key that secrets are sealed with; empty: the file in the data folder.
	SecretKeyFile string
	Language      string // BCP 47; empty: not said
	Zone          string // IANA name

	Budget    rein.Budget
	Tools     Tools
	Shell     Shell
	Web       Web
	Redact    Redact
	Approvals Approvals
	Ceiling   kit.Ceiling
	// Fallback lists the models that are asked in place of one that fails, in order.
	Fallback []string
	// Embedder is the model that makes vectors; empty: none does.
	Embedder string
	Limits   Limits
	Roles    Roles
	Currency string // of all prices that the settings and the price files name: a code of ISO 4217
	Prices   string // a file with prices of one's own; empty: the built-in ones
	Texts    string // the folder of SOUL.md, prompts, rules and skills; empty: there is none
	// ReasonPrompt and ObservePrompt are the files of these prompts, in the folder prompts of Texts.
	ReasonPrompt, ObservePrompt string

	Models map[string]Model

	Notes     Notes
	Schedule  Schedule
	Owner     Owner
	Server    Server
	Telemetry Telemetry
	Webhooks  map[string]Webhook
	Telegram  Telegram
	Hooks     Reach
	Mail      Mail
	Push      Push
	Presets   map[string]Preset
	// Workspaces are folders with a name that runs can work in.
	Workspaces map[string]Workspace

	// MCP are the MCP servers whose tools runs can use.
	MCP map[string]spec.Server

	// Warnings are what is probably a mistake and does no harm.
	Warnings []string

	sources map[string]Source
	own     []string // models of the program
	offered []string // models that are there because their keys are, in the order of Offers
	kinds   flow.Table
	flows   map[string]kit.Values // their settings, by section
}

// Tools says what the tools may do.
type Tools struct {
	// Root is what the file tools may see. Nobody said: empty. Then rein run takes the current folder, and
	// a service has no file tools.
	Root      string
	ForceRoot bool // also if it is a home folder, or holds everything
	Timeout   time.Duration
	ClipBytes int64
	UndoBytes int64 // of earlier contents of files, for each user
	Policy    rein.Policy
}

// Approvals says how much waits for a person.
type Approvals struct {
	Mode    rein.Mode // in which a session starts
	Loosest rein.Mode // that anyone can choose
}

// Redact says what is taken out of texts before they are kept.
type Redact struct {
	Patterns []Pattern
	Env      []string // environment variables whose values are secrets
}

// A Pattern is the shape of a secret.
type Pattern struct {
	Name   string
	Regexp *regexp.Regexp
	Block  bool // withhold the whole text, not only the match
}

// A Model says how a model that is chosen by its name is made.
type Model struct {
	Kind string
	File string // of kind "script"
	Provider
}

// Kinds of models.
const (
	KindOffline = "offline"
	KindScript  = "script"
	// Somebody else runs these: anything that speaks the API of OpenAI, and Anthropic's.
	KindOpenAI    = "openai"
	KindAnthropic = "anthropic"
	// KindOwn is a model that the program brought along. No setting makes one.
	KindOwn = "own"
)

// Kinds lists them, for messages.
var Kinds = []string{KindOffline, KindScript, KindOpenAI, KindAnthropic}

// A Source is where a value comes from.
type Source struct {
	Flag string // "--model"
	Env  string // "REIN_MODEL"
	File string
	Line int
	Col  int
}

func (s Source) String() string {
	switch {
	case s.Flag != "":
		return s.Flag
	case s.Env != "":
		return "$" + s.Env
	case s.File != "":
		return fmt.Sprintf("%s:%d", s.File, s.Line)
	}
	return "default"
}

// place is the source as an error begins with it.
func (s Source) place() string {
	if s.File != "" {
		return fmt.Sprintf("%s:%d:%d", s.File, s.Line, s.Col)
	}
	return s.String()
}

// Source returns where the value of a key comes from.
func (c *Config) Source(key string) Source { return c.sources[key] }

// A Problem is one thing that is wrong, and where.
type Problem struct {
	Source
	Text string // names the key and says what would be right
}

func (p Problem) String() string { return p.place() + ": " + p.Text }

// Problems are all that is wrong; they are an error if there is one.
type Problems []Problem

func (p Problems) Error() string {
	text := ""
	for i, problem := range p {
		if i > 0 {
			text += "\n"
		}
		text += problem.String()
	}
	return text
}

func (p *Problems) add(s Source, format string, args ...any) {
	*p = append(*p, Problem{s, fmt.Sprintf(format, args...)})
}

// err is nil if there is no problem.
func (p Problems) err() error {
	if len(p) == 0 {
		return nil
	}
	return p
}
