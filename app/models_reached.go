package app

import (
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"

	"rein/app/config"
)

// maxModels bounds what is read of a list of models.
const maxModels = 8 << 20

// anyModel are the servers that answer for a model whatever its name is in their list: one that has a
// single model, and one whose list is not of what it was asked to serve.
var anyModel = []string{"llamacpp", "azure"}

// unlisted says why the answer to a request for models means that this one cannot be asked, if it does.
func unlisted(m config.Model, from *url.URL, body io.Reader) string {
	var list struct {
		ID   string                 `json:"id"`
		Data *[]struct{ ID string } `json:"data"`
	}
	if json.NewDecoder(io.LimitReader(body, maxModels)).Decode(&list) != nil || list.ID == "" && list.Data == nil {
		return fmt.Sprintf("%s does not return a list of models: check base_url, most end in /v1", shownURL(from))
	}
	if list.Data == nil || len(*list.Data) == 0 || slices.Contains(anyModel, m.Preset) {
		return ""
	}
	var names []string
	for _, entry := range *list.Data {
		if isModel(entry.ID, m.Model) {
			return ""
		}
		names = append(names, entry.ID)
	}
	return fmt.Sprintf("%s has no model %q; it has %s", from.Host, m.Model, few(names))
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

// shownURL is an address without what may be secret in it.
func shownURL(u *url.URL) string { return u.Scheme + "://" + u.Host + u.Path }
