package web

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"rein"
	"rein/internal/outbound"
)

// maxAnswer is the most that is read of what a service answers.
const maxAnswer = 4 << 20

// A question is one request to a service.
type question struct {
	path   string
	query  url.Values
	header map[string]string
	body   any // sent as JSON by POST; nil: there is none
	// private says which value of the query is the key, for a service that takes it nowhere else.
	private string
}

// An answer is what a service sent.
type answer struct {
	body   []byte
	header http.Header
}

// asked is a service in use.
type asked struct {
	web      *Web
	settings Settings
	service  Service
	key      string
}

// use makes a service ready. A tool whose service is not set is not offered; one that is called anyway says why.
func (w *Web) use(ctx context.Context, inv rein.Invocation, tool string, which func(Settings) Service) (asked, error) {
	settings := w.o.Settings()
	a := asked{web: w, settings: settings, service: which(settings)}
	if a.service.Kind == "" {
		return a, rein.Errorf(rein.CodeUnavailable, "%s is not set up here: the settings name no service for it", tool)
	}
	if a.service.Key == nil {
		if NeedsKey(a.service.Kind) {
			return a, rein.Errorf(rein.CodeUnavailable, "%s asks %s, which needs a key: set %s_key", tool, a.service.Kind, a.service.Setting)
		}
		return a, nil
	}
	key, err := a.service.Key(ctx, inv)
	if err != nil {
		return a, rein.Errorf(rein.CodeUnavailable, "%s: the key of %s cannot be used: %w", tool, a.service.Kind, err)
	}
	a.key = key
	return a, nil
}

// ask sends a question and returns the answer, if it is a good one.
func (a asked) ask(ctx context.Context, q question) (answer, error) {
	at, err := a.service.at()
	if err != nil {
		return answer{}, err
	}
	client := outbound.New(a.web.client(a.settings, at))
	defer client.CloseIdleConnections()
	request, err := a.request(ctx, at, q)
	if err != nil {
		return answer{}, err
	}
	response, err := client.Do(request)
	if err != nil {
		return answer{}, a.unreachable(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil && response.StatusCode < 300 {
		return answer{}, a.unreachable(err)
	}
	got := answer{a.masked(body), response.Header}
	if response.StatusCode < 200 || response.StatusCode > 299 {
		return got, a.refusal(response, got.body)
	}
	return got, nil
}

func (a asked) request(ctx context.Context, at *url.URL, q question) (*http.Request, error) {
	method, body := http.MethodGet, io.Reader(nil)
	if q.body != nil {
		sent, err := json.Marshal(q.body)
		if err != nil {
			return nil, err
		}
		method, body = http.MethodPost, bytes.NewReader(sent)
	}
	to := at.JoinPath(q.path)
	query := to.Query()
	for name, values := range q.query {
		query[name] = values
	}
	if q.private != "" && a.key != "" {
		query.Set(q.private, a.key)
	}
	to.RawQuery = query.Encode()
	request, err := http.NewRequestWithContext(ctx, method, to.String(), body)
	if err != nil {
		return nil, rein.Errorf(rein.CodeInvalid, "%s has no usable address: check %s_url", a.service.Kind, a.service.Setting)
	}
	request.Header.Set("User-Agent", a.web.o.Agent)
	request.Header.Set("Accept", "application/json")
	if q.body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	for name, value := range q.header {
		request.Header.Set(name, value)
	}
	return request, nil
}

// leastMasked is the shortest key that can be told from ordinary words.
const leastMasked = 8

// masked takes the key out of what the service answers, should it repeat it.
func (a asked) masked(body []byte) []byte {
	if len(a.key) < leastMasked {
		return body
	}
	return bytes.ReplaceAll(body, []byte(a.key), []byte(rein.Mask+"key]"))
}

func (a asked) unreachable(err error) error {
	switch {
	case errors.Is(err, outbound.ErrTooLong):
		return rein.Errorf(rein.CodeProvider, "%s sent more than %d MiB", a.service.Kind, maxAnswer>>20)
	case errors.Is(err, context.Canceled):
		return err
	case outbound.IsTimeout(err):
		return rein.Errorf(rein.CodeTimeout, "%s did not answer within %s", a.service.Kind, a.settings.timeout())
	}
	return rein.Errorf(rein.CodeUnreachable, "%s cannot be reached: %s", a.service.Kind, outbound.Reason(err))
}

// refusal says why a service did not answer the question, and what can be done.
func (a asked) refusal(response *http.Response, body []byte) error {
	name, said := a.service.Kind, rein.Clip(messageOf(body), 300)
	told := func(text string) string {
		if said != "" {
			text += " (" + said + ")"
		}
		return text
	}
	switch status := response.StatusCode; {
	case status >= 300 && status < 400:
		return rein.Errorf(rein.CodeProvider, "%s redirects, which is not followed: check %s_url", name, a.service.Setting)
	case status == http.StatusTooManyRequests:
		return a.limited(response.Header, told(name+" answers no more searches for now"))
	case status == http.StatusUnauthorized || status == http.StatusForbidden && a.key != "":
		return rein.Errorf(rein.CodeUnauthorized, "%s", told(name+" does not accept the key: check "+a.service.Setting+"_key"))
	case status >= 500:
		return rein.Errorf(rein.CodeOverloaded, "%s", told(name+" failed with status "+strconv.Itoa(status)+": try again later"))
	default:
		return rein.Errorf(rein.CodeProvider, "%s", told(name+" refused the search with status "+strconv.Itoa(status)))
	}
}

// limited is the error of a limit that is reached, with how long to wait if the service says so in seconds.
func (a asked) limited(header http.Header, text string) error {
	err := rein.Errorf(rein.CodeRateLimited, "%s", text)
	if seconds, bad := strconv.Atoi(header.Get("Retry-After")); bad == nil && seconds > 0 && seconds < 7*24*3600 {
		err.RetryAfter = time.Duration(seconds) * time.Second
		err.Msg += "; it says to wait " + err.RetryAfter.String()
	}
	return err
}

// messageOf finds the sentence in what a service answers when it refuses: {"message"}, {"error"},
// {"error": {"detail"}} or {"detail": {"error"}}, and {"errors": [{"message"}]} beside it.
func messageOf(body []byte) string {
	var said struct {
		Message string
		Error   json.RawMessage
		Detail  json.RawMessage
		Errors  []struct{ Message string }
	}
	if json.Unmarshal(body, &said) != nil {
		return ""
	}
	text := said.Message
	for _, e := range said.Errors {
		text += " " + e.Message
	}
	for _, raw := range []json.RawMessage{said.Error, said.Detail} {
		var plain string
		var inner struct{ Error, Detail, Message string }
		_ = json.Unmarshal(raw, &plain) // one of both fits
		_ = json.Unmarshal(raw, &inner)
		text = cmp.Or(text, plain, inner.Detail, inner.Error, inner.Message)
	}
	return strings.Join(strings.Fields(text), " ")
}

// read decodes an answer.
func (a asked) read(got answer, into any) error {
	if err := json.Unmarshal(got.body, into); err != nil {
		return rein.Errorf(rein.CodeProvider, "%s did not answer with the JSON that it documents: check %s_url", a.service.Kind, a.service.Setting)
	}
	return nil
}
