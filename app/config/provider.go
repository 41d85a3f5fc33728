package config

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"rein/internal/near"
	"rein/model/openai"
)

// A Provider says how a model is asked that somebody else runs.
type Provider struct {
	Model     string // as the provider calls it
	Preset    string // a server that is known by name; of kind openai
	BaseURL   string
	KeyEnv    string // the environment variable with the key; the key itself is never in a file
	API       string // of kind openai: chat or responses
	Window    int64
	MaxOutput int64
	PriceIn   int64 // of a million tokens, in millionths of the currency unit; -1: not said
	PriceOut  int64
	Thinking  int64  // of kind anthropic: tokens for thinking
	Tools     string // how it is given tools: ToolsText, ToolsNative; empty: native, and text if it knows none
	Images    string // whether it takes images: ImagesYes, ImagesNo; empty: as the table of prices knows it
	// How long the provider may be silent in a call, and how long the whole call may take; zero: not said.
	Silence, Whole time.Duration
}

// providerKeys are those of kinds openai and anthropic.
var providerKeys = []string{"model", "preset", "base_url", "key_env", "api", "window", "max_output", "price_in", "price_out", "thinking", "silence", "whole", "tools", "images"}

// What tools may be.
const (
	ToolsText   = "text"
	ToolsNative = "native"
)

// What images may be.
const (
	ImagesYes = "yes"
	ImagesNo  = "no"
)

// keyNames are what people call a key that does not belong into a file.
var keyNames = []string{"key", "api_key", "apikey", "token", "secret", "password"}

var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// provider reads what the kinds openai and anthropic need.
func (l *loading) provider(name, kind string, table *node) Provider {
	p := Provider{
		Model: l.member(table, "model", isString, true), Preset: l.member(table, "preset", isString, false),
		BaseURL: l.member(table, "base_url", isString, false), KeyEnv: l.member(table, "key_env", isString, false),
		API: l.member(table, "api", isString, false), Tools: l.member(table, "tools", isString, false), Images: l.member(table, "images", isString, false),
		Window: l.wholeMember(table, "window"), MaxOutput: l.wholeMember(table, "max_output"), Thinking: l.wholeMember(table, "thinking"),
		PriceIn: l.priceMember(table, "price_in"), PriceOut: l.priceMember(table, "price_out"),
		Silence: l.timeMember(table, "silence", maxSilence), Whole: l.timeMember(table, "whole", maxWhole),
	}
	for _, key := range keyNames {
		if n := table.table[key]; n != nil {
			l.report(n.key(), "models.%s.%s: a key must not be in a file, which is copied and shown: put it into an environment variable and name that with key_env", name, key)
		}
	}
	if p.KeyEnv != "" && !isKeyName(p.KeyEnv) {
		l.report(table.table["key_env"], "models.%s.key_env is not the name of an environment variable; if it is the key itself, put that into a variable and name it here", name)
		p.KeyEnv = ""
	}
	if p.API != "" && p.API != openai.Chat && p.API != openai.Responses {
		l.report(table.table["api"], "models.%s.api is %q and must be %q or %q", name, p.API, openai.Chat, openai.Responses)
	}
	if n := table.table["tools"]; n != nil && n.kind == isString && p.Tools != ToolsText && p.Tools != ToolsNative {
		l.report(n, "models.%s.tools is %q and must be %q or %q", name, p.Tools, ToolsText, ToolsNative)
	}
	if n := table.table["images"]; n != nil && n.kind == isString && p.Images != ImagesYes && p.Images != ImagesNo {
		l.report(n, "models.%s.images is %q and must be %q or %q", name, p.Images, ImagesYes, ImagesNo)
	}
	l.completeProvider(name, kind, &p, table)
	return p
}

// completeProvider finds the preset and the variable with the key.
func (l *loading) completeProvider(name, kind string, p *Provider, table *node) {
	switch {
	case kind == KindAnthropic && p.Preset != "":
		l.report(table.table["preset"], "models.%s.preset is for kind %q only", name, KindOpenAI)
	case kind == KindAnthropic:
		if p.KeyEnv == "" && p.BaseURL == "" {
			p.KeyEnv = "ANTHROPIC_API_KEY"
		}
	case p.Preset == "" && p.BaseURL == "":
		p.Preset = "openai"
		fallthrough
	case p.Preset != "":
		names := []string{}
		for _, server := range openai.Presets {
			names = append(names, server.Name)
			if server.Name == p.Preset && p.KeyEnv == "" {
				p.KeyEnv = server.KeyEnv
			}
		}
		if !slices.Contains(names, p.Preset) {
			l.report(table.table["preset"], "models.%s.preset is %q; available: %s%s", name, p.Preset, strings.Join(names, ", "), near.DidYouMean(p.Preset, names))
		}
	}
}

// wholeMember reads a number of tokens; 0: not said.
func (l *loading) wholeMember(table *node, name string) int64 {
	text := l.member(table, name, isInteger, false)
	if text == "" {
		return 0
	}
	n, err := strconv.ParseInt(strings.ReplaceAll(text, "_", ""), 0, 64)
	if err != nil || n < 1 || n > 1_000_000_000 {
		l.report(table.table[name], "%s: %s is %s and must be a number of tokens, from 1 to 1000000000", l.key, name, text)
		return 0
	}
	return n
}

// The longest limits of a call.
const (
	maxSilence = time.Hour
	maxWhole   = 24 * time.Hour
)

// timeMember reads a time; 0: not said.
func (l *loading) timeMember(table *node, name string, most time.Duration) time.Duration {
	n := table.table[name]
	if n == nil || n.kind != isString {
		l.member(table, name, isString, false)
		return 0
	}
	text := n.text
	d, err := time.ParseDuration(text)
	if err != nil || d < time.Second || d > most {
		l.report(table.table[name], "%s: %s is %q and must be a time such as \"90s\" or \"10m\", from 1s to %s", l.key, name, text, timeText(most))
		return 0
	}
	return d
}

// priceMember reads a price of a million tokens; -1: not said.
func (l *loading) priceMember(table *node, name string) int64 {
	n := table.table[name]
	if n == nil {
		return -1
	}
	digits := strings.ReplaceAll(n.text, "_", "")
	before, after, _ := strings.Cut(digits, ".")
	micros, err := strconv.ParseInt(before+(after + "000000")[:6], 10, 64)
	if n.kind != isInteger && n.kind != isFloat || !decimal.MatchString(digits) || err != nil || micros > 1_000_000_000_000 {
		l.report(n, "%s: %s must be what a million tokens cost, such as 2.50", l.key, name)
		return -1
	}
	return micros
}

// show tells how the provider is asked.
func (p Provider) show() string {
	text := ""
	for _, part := range []struct{ key, value string }{{"model", p.Model}, {"preset", p.Preset}, {"base_url", p.BaseURL}, {"key_env", p.KeyEnv}, {"api", p.API}, {"tools", p.Tools}, {"images", p.Images}} {
		if part.value != "" {
			text += fmt.Sprintf(", %s = %s", part.key, quoted(part.value))
		}
	}
	for _, part := range []struct {
		key   string
		value time.Duration
	}{{"silence", p.Silence}, {"whole", p.Whole}} {
		if part.value > 0 {
			text += fmt.Sprintf(", %s = %s", part.key, quoted(timeText(part.value)))
		}
	}
	return text
}
