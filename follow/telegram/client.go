package telegram

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path"
	"strings"
	"time"

	"rein"
	"rein/internal/outbound"
	"rein/internal/visible"
)

// DefaultURL is where the Bot API is, for those who run no server of it themselves.
const DefaultURL = "https://api.telegram.org"

const (
	callLimit = 20 * time.Second
	pollWait  = 50 * time.Second // how long Telegram may hold a poll that has nothing
	maxAnswer = 16 << 20
)

// A client speaks the Bot API. The token is in the path of every address, so no error of it holds an address.
type client struct {
	base  string
	token func() string
	http  *http.Client
}

func newClient(base string, token func() string) *client {
	named := base != "" // whoever runs rein wrote it: it may be an address of their network
	if !named {
		base = DefaultURL
	}
	return &client{base: strings.TrimSuffix(base, "/"), token: token, http: outbound.New(outbound.Options{
		Trusted: named, NoRedirects: true, Timeout: -1, Body: maxAnswer,
	})}
}

// A refusal is an answer of the Bot API that is not ok.
type refusal struct {
	method string
	code   int
	why    string
	after  time.Duration // how long it wants to be left alone
}

func (r *refusal) Error() string { return fmt.Sprintf("telegram: %s: %d %s", r.method, r.code, r.why) }

// refused returns the refusal that an error is, or nil.
func refused(err error) *refusal {
	r, _ := errors.AsType[*refusal](err)
	return r
}

// envelope is what every answer of the Bot API is in.
type envelope struct {
	OK          bool            `json:"ok"`
	Result      json.RawMessage `json:"result"`
	Code        int             `json:"error_code"`
	Description string          `json:"description"`
	Parameters  struct {
		RetryAfter int `json:"retry_after"`
	} `json:"parameters"`
}

// call calls a method and reads its result, unless result is nil.
func (c *client) call(ctx context.Context, method string, limit time.Duration, params, result any) error {
	token := c.token()
	if token == "" {
		return rein.Errorf(rein.CodeUnavailable, "telegram: there is no token: set the variable or the secret that telegram.token names")
	}
	body, err := json.Marshal(params)
	if err != nil {
		return fmt.Errorf("telegram: %s: %w", method, err)
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base+"/bot"+token+"/"+method, bytes.NewReader(body))
	if err != nil {
		return c.failed(ctx, method, errors.New("telegram.base_url and the token make no address"))
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := c.http.Do(request)
	if err != nil {
		return c.failed(ctx, method, err)
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err != nil {
		return c.failed(ctx, method, err)
	}
	var answer envelope
	if err := json.Unmarshal(data, &answer); err != nil || !answer.OK {
		return c.refusal(method, response.StatusCode, answer)
	}
	if result == nil {
		return nil
	}
	if err := json.Unmarshal(answer.Result, result); err != nil {
		return fmt.Errorf("telegram: %s: its result cannot be read", method)
	}
	return nil
}

// mostAfter bounds how long Telegram is left alone because it says so.
const mostAfter = time.Hour

func (c *client) refusal(method string, status int, answer envelope) error {
	r := &refusal{method: method, code: answer.Code, why: visible.Short(c.clean(answer.Description), 200)}
	if r.code == 0 {
		r.code = status
	}
	if r.why == "" {
		r.why = "without a reason"
	}
	r.after = min(time.Duration(max(0, answer.Parameters.RetryAfter))*time.Second, mostAfter)
	return r
}

// failed is the error of a call that was not answered. It may have been carried out.
func (c *client) failed(ctx context.Context, method string, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("telegram: %s: no answer: %w", method, ctx.Err())
	}
	return fmt.Errorf("telegram: %s: %s", method, c.clean(outbound.Reason(err)))
}

// clean takes the token out of a text of somebody else.
func (c *client) clean(text string) string {
	if token := c.token(); token != "" {
		text = strings.ReplaceAll(text, token, "[token]")
	}
	return text
}

// download returns the content of a file, which has at most so many bytes.
func (c *client) download(ctx context.Context, id string, most int64) ([]byte, error) {
	var file struct {
		Path string `json:"file_path"`
		Size int64  `json:"file_size"`
	}
	if err := c.call(ctx, "getFile", callLimit, map[string]any{"file_id": id}, &file); err != nil {
		return nil, err
	}
	if file.Path == "" || path.IsAbs(file.Path) || path.Clean(file.Path) != file.Path || strings.HasPrefix(file.Path, "..") || strings.ContainsAny(file.Path, "?#\\%") {
		return nil, errors.New("telegram: getFile: it names no file that can be fetched")
	}
	if file.Size > most {
		return nil, tooLarge(most)
	}
	ctx, cancel := context.WithTimeout(ctx, callLimit)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base+"/file/bot"+c.token()+"/"+file.Path, nil)
	if err != nil {
		return nil, c.failed(ctx, "file", errors.New("its path makes no address"))
	}
	response, err := c.http.Do(request)
	if err != nil {
		return nil, c.failed(ctx, "file", err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, &refusal{method: "file", code: response.StatusCode, why: "it cannot be fetched"}
	}
	data, err := io.ReadAll(io.LimitReader(response.Body, most+1))
	switch {
	case err != nil:
		return nil, c.failed(ctx, "file", err)
	case int64(len(data)) > most:
		return nil, tooLarge(most)
	}
	return data, nil
}

func tooLarge(most int64) error {
	return rein.Errorf(rein.CodeInvalid, "the file has more than %d bytes", most)
}
