// Package probe asks providers: which models they have, and whether one can be used. A list of models costs nothing; where
// it does not prove that the key and the model are right, the smallest possible reply is asked for. What is wrong comes
// with what to do about it, and never with the key.
package probe

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"rein"
	"rein/app/config"
	"rein/internal/near"
	"rein/model/openai"
)

// A Trouble is why a model cannot be used, and what to do about it.
type Trouble struct{ Why, Do string }

func (t *Trouble) Error() string { return t.Why + ": " + t.Do }

func trouble(do, format string, args ...any) *Trouble {
	return &Trouble{Why: fmt.Sprintf(format, args...), Do: do}
}

// How long a provider may take to list its models, and to reply with a word.
const (
	listPatience = 3 * time.Second
	wordPatience = 15 * time.Second
)

// Model says why a model cannot be used, if it cannot. The second one is the same model, made to be called.
func Model(ctx context.Context, m config.Model, key string, made rein.Model) *Trouble {
	return check(ctx, m, key, made, false)
}

// Reply is Model by a reply, also where the list of the provider proves enough.
func Reply(ctx context.Context, m config.Model, key string, made rein.Model) *Trouble {
	return check(ctx, m, key, made, true)
}

func check(ctx context.Context, m config.Model, key string, made rein.Model, reply bool) *Trouble {
	if t := Missing(m, key); t != nil {
		return t
	}
	a := ask(ctx, m, key, place(m))
	switch {
	case a.trouble != nil:
		return a.trouble
	case m.Kind == config.KindAnthropic && a.found && !reply:
		return nil
	case m.Kind == config.KindAnthropic && a.status == http.StatusNotFound:
		a = ask(ctx, m, key, "models?limit=1000") // for the names that it has
	}
	has := slices.ContainsFunc(a.names, func(listed string) bool { return isModel(listed, m.Model) })
	switch {
	case len(a.names) > 0 && !has && !slices.Contains(anyModel, m.Preset):
		return unknown(m, a)
	case has && proves(m, key) && !reply:
		return nil
	}
	return word(ctx, m, key, a, made)
}

// place is what a model is looked for with. Anthropic takes other names of a model than those that it lists.
func place(m config.Model) string {
	if m.Kind == config.KindAnthropic {
		return "models/" + url.PathEscape(m.Model)
	}
	return "models"
}

// Missing says that a model has no key, if it needs one.
func Missing(m config.Model, key string) *Trouble {
	if m.KeyEnv == "" || key != "" {
		return nil
	}
	if secret, ok := strings.CutPrefix(m.KeyEnv, "secret:"); ok {
		return trouble("set it with `rein secrets set --shared "+secret+"`", "there is no secret %s", secret)
	}
	return trouble("put your key into it, as in export "+m.KeyEnv+"=…", "$%s is not set", m.KeyEnv)
}

// anyModel are the servers that answer for a model whatever its name is in their list: one that has a
// single model, and one whose list is not of what it was asked to serve.
var anyModel = []string{"llamacpp", "azure"}

// openLists are the providers that list their models for everybody, also for those without a key.
var openLists = []string{"openrouter", "azure"}

// proves reports whether a list with the model in it proves that the model can be used: the list was given for the key,
// and is that of a server that is known.
func proves(m config.Model, key string) bool {
	known := m.Preset != "" && m.BaseURL == ""
	return key == "" || known && !slices.Contains(openLists, m.Preset)
}

// unknown says that a provider does not have the model.
func unknown(m config.Model, a answer) *Trouble {
	do := "set model to one that it has: " + few(a.names)
	if meant := near.Word(m.Model, a.names); meant != "" {
		do = fmt.Sprintf("did you mean %q? It has ", meant) + few(a.names)
	}
	if isOllama(m, a) {
		do = "get it with `ollama pull " + m.Model + "`, or choose one that is there: " + few(a.names)
	}
	return trouble(do, "%s has no model %q", a.host, m.Model)
}

func isOllama(m config.Model, a answer) bool {
	return m.Preset == "ollama" || strings.HasSuffix(a.host, ":11434")
}

// isModel reports whether a name in a list is that of the model: some lists have folders before names, or
// what Ollama takes for granted behind them.
func isModel(listed, model string) bool {
	return listed == model || listed == model+":latest" || strings.HasSuffix(listed, "/"+model)
}

// few names some of many.
func few(names []string) string {
	const most = 5
	if len(names) > most {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", len(names)-most)
	}
	return strings.Join(names, ", ")
}

// List returns the names of the models that a provider has; none: it does not say.
func List(ctx context.Context, m config.Model, key string) ([]string, *Trouble) {
	if t := Missing(m, key); t != nil {
		return nil, t
	}
	path := "models"
	if m.Kind == config.KindAnthropic {
		path += "?limit=1000"
	}
	a := ask(ctx, m, key, path)
	names := slices.Clone(a.names)
	for i, name := range names {
		names[i] = strings.TrimPrefix(name, "models/") // Gemini's folder
	}
	return names, a.trouble
}

// presetOf is what is known of the server of a model; the zero value: nothing.
func presetOf(m config.Model) openai.Server {
	i := slices.IndexFunc(openai.Presets, func(s openai.Server) bool { return s.Name == m.Preset })
	if i < 0 {
		return openai.Server{}
	}
	return openai.Presets[i]
}
