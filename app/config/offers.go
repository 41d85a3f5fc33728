package config

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"rein/model/openai"
)

// An Offer is a provider that can be used without settings, once its key is in the environment.
type Offer struct {
	Name  string // of the model, as people choose it
	Model Model
	// urlEnv is the variable that the provider's own programs read the address from: a key may belong to a proxy, and must
	// not go anywhere else.
	urlEnv string
}

// baseURLs are those variables.
var baseURLs = map[string]string{"anthropic": "ANTHROPIC_BASE_URL", "openai": "OPENAI_BASE_URL"}

// Offers are all such providers, in the order in which one is chosen if there are keys of several.
func Offers() []Offer {
	all := []Offer{offer("anthropic", Provider{Model: "claude-sonnet-5", KeyEnv: "ANTHROPIC_API_KEY"}, KindAnthropic)}
	for _, server := range openai.Presets {
		if server.KeyEnv != "" && server.Model != "" {
			all = append(all, offer(server.Name, Provider{Model: server.Model, KeyEnv: server.KeyEnv, Preset: server.Name}, KindOpenAI))
		}
	}
	return all
}

func offer(name string, p Provider, kind string) Offer {
	p.PriceIn, p.PriceOut = -1, -1 // as the table of prices has them
	return Offer{Name: name, Model: Model{Kind: kind, Provider: p}, urlEnv: baseURLs[name]}
}

// offer adds the providers whose keys are in the environment, unless the settings or the program have models: then those
// are all there are. The first one answers if nobody chose a model.
func (l *loading) offer() {
	c := l.config
	if _, listed := c.sources["models"]; listed || len(c.own) > 0 {
		return
	}
	var keys []string
	for _, o := range Offers() {
		key := l.env.Get(o.Model.KeyEnv)
		if strings.TrimSpace(key) == "" {
			continue
		}
		if o.Model.BaseURL = o.BaseURL(l.env); strings.ContainsAny(key, " \t\r\n") {
			c.Warnings = append(c.Warnings, "$"+o.Model.KeyEnv+" has white space in it, so it is not used")
			continue
		}
		if !isBase(o.Model.BaseURL) {
			c.Warnings = append(c.Warnings, "$"+o.urlEnv+" is not an address like https://host/v1, so $"+o.Model.KeyEnv+" is not used")
			continue
		}
		c.Models[o.Name], c.offered = o.Model, append(c.offered, o.Name)
		keys = append(keys, o.Model.KeyEnv)
	}
	if len(keys) == 0 {
		return
	}
	c.sources["models"] = Source{Env: strings.Join(keys, ", $")}
	if _, chosen := c.sources["model"]; !chosen {
		c.Model, c.sources["model"] = c.offered[0], Source{Env: keys[0]}
	}
}

// BaseURL is the address of the provider; empty: its usual one.
func (o Offer) BaseURL(env Environment) string {
	if o.urlEnv == "" {
		return ""
	}
	return env.Get(o.urlEnv)
}

// isBase reports whether a text can be the address of an API; an empty one is the usual address.
func isBase(text string) bool {
	u, err := url.Parse(text)
	return text == "" || err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https") && u.User == nil && u.RawQuery == "" && u.Fragment == ""
}

// IsOffered reports whether a model is there because its key is, and not because the settings name it.
func (c *Config) IsOffered(model string) bool { return slices.Contains(c.offered, model) }

// ChosenByKey is the variable because of which the model is the one that answers; empty: somebody chose it.
func (c *Config) ChosenByKey() string {
	if source := c.sources["model"]; c.IsOffered(c.Model) && source.Env == c.Models[c.Model].KeyEnv {
		return source.Env
	}
	return ""
}

// missingKey says how a model that was named can be offered; empty: it is not one that could be.
func missingKey(name string) string {
	for _, o := range Offers() {
		if o.Name == name {
			return "; set $" + o.Model.KeyEnv + ", or add [models." + name + "] to rein.toml"
		}
	}
	return ""
}

// CheckProvider says what is wrong with the address or the variable of a model that is about to be written, if anything.
func CheckProvider(m Model) error {
	switch {
	case !isBase(m.BaseURL):
		return fmt.Errorf("the base URL %q is not an address like https://host/v1, without a password or a query", m.BaseURL)
	case m.KeyEnv != "" && !isKeyName(m.KeyEnv):
		return errors.New("the key's place is the name of an environment variable, or secret:NAME; if that is the key itself, put it into a variable and name that")
	}
	return nil
}
