package probe

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"

	"rein/app/config"
	"rein/model/sent"
)

// maxList bounds what is read of a list of models.
const maxList = 8 << 20

// An answer is what a provider said when it was asked for its models, or for one.
type answer struct {
	trouble *Trouble // it cannot be asked
	host    string
	url     string // without what may be secret in it
	status  int
	found   bool // it is the model that was asked for
	isList  bool // it is a list of models, which may have none
	names   []string
}

// ask asks a provider for what is at a path below its base URL.
func ask(ctx context.Context, m config.Model, key, path string) answer {
	ctx, cancel := context.WithTimeout(ctx, listPatience)
	defer cancel()
	r, err := request(ctx, m, key, path)
	if err != nil {
		return answer{trouble: trouble("correct base_url, as in https://host/v1", "its base URL is not an address")}
	}
	a := answer{host: r.URL.Host, url: r.URL.Scheme + "://" + r.URL.Host + r.URL.Path}
	res, err := sent.Client(nil).Do(r)
	if err != nil {
		a.trouble = unreached(m, r.URL.Host, err)
		return a
	}
	defer res.Body.Close()
	switch a.status = res.StatusCode; a.status {
	case http.StatusOK:
		a.read(io.LimitReader(res.Body, maxList))
	case http.StatusUnauthorized:
		a.trouble = refused(m, key, a.host)
	}
	return a
}

// request asks for what is at a path, with the key where the server wants it.
func request(ctx context.Context, m config.Model, key, path string) (*http.Request, error) {
	preset := presetOf(m)
	base := cmp.Or(m.BaseURL, preset.BaseURL)
	if base == "" && preset.URLEnv != "" {
		base = os.Getenv(preset.URLEnv)
	}
	header, value := "Authorization", "Bearer "+key
	switch {
	case m.Kind == config.KindAnthropic:
		base = strings.TrimSuffix(strings.TrimRight(cmp.Or(m.BaseURL, "https://api.anthropic.com"), "/"), "/v1") + "/v1"
		header, value = "x-api-key", key
	case preset.Quirks.KeyHeader != "":
		header, value = preset.Quirks.KeyHeader, key
	}
	at, err := url.Parse(strings.TrimRight(base, "/") + "/" + path)
	if err != nil || at.Host == "" {
		return nil, cmp.Or(err, errNoHost)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("User-Agent", "rein")
	if m.Kind == config.KindAnthropic {
		r.Header.Set("anthropic-version", "2023-06-01")
	}
	if key != "" {
		r.Header.Set(header, value)
	}
	return r, nil
}

// read takes the names of models out of a list, in the forms that servers give it, or notes that this is the model.
func (a *answer) read(body io.Reader) {
	data, err := io.ReadAll(body)
	if err != nil {
		return
	}
	type entry struct{ ID string }
	var list struct {
		ID     string  `json:"id"`
		Object string  `json:"object"`
		Data   []entry `json:"data"`
	}
	if json.Unmarshal(data, &list) != nil && json.Unmarshal(data, &list.Data) != nil {
		return
	}
	a.found = list.ID != ""
	for _, e := range list.Data {
		if e.ID != "" {
			a.names = append(a.names, e.ID)
		}
	}
	a.isList = list.Object == "list" || len(a.names) > 0
}
