package anthropic

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
)

// maxBody is the most of an answer that is read. No model writes as much.
const maxBody = 64 << 20

var errTooBig = errors.New("the answer is larger than any reply can be")

// seen is what the SDK does not hand on of an answer.
type seen struct {
	status int
	header http.Header
	alive  func() // is told of every piece that comes
	events bool   // a stream was asked for
}

// readable reports whether the answer is of a type that the API sends.
func (s *seen) readable() bool {
	kind, _, _ := mime.ParseMediaType(s.header.Get("Content-Type"))
	return kind == "application/json" || kind == "text/event-stream"
}

func (s *seen) isJSON() bool {
	kind, _, _ := mime.ParseMediaType(s.header.Get("Content-Type"))
	return kind == "application/json"
}

// newClient makes a client of the SDK that uses what it is given and nothing else: no environment,
// no profile on disk, no retries. It follows no redirect, which would take the key to another host.
func newClient(o Options) sdk.Client {
	hc := http.Client{}
	if o.HTTP != nil {
		hc = *o.HTTP
	}
	hc.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	opts := []option.RequestOption{
		option.WithoutEnvironmentDefaults(),
		option.WithHTTPClient(&hc),
		option.WithMaxRetries(0),
		option.WithEnvironmentProduction(),
	}
	if o.BaseURL != "" {
		opts = append(opts, option.WithBaseURL(o.BaseURL))
	}
	if o.Key != "" {
		opts = append(opts, option.WithAPIKey(o.Key))
	}
	return sdk.NewClient(opts...)
}

// watch keeps what is to be known of the answer and bounds its size.
func watch(s *seen) option.RequestOption {
	return option.WithMiddleware(func(r *http.Request, next option.MiddlewareNext) (*http.Response, error) {
		resp, err := next(r)
		if resp != nil {
			s.status, s.header = resp.StatusCode, resp.Header
			s.alive()
			if resp.Body != nil && s.events && s.isJSON() && resp.StatusCode == http.StatusOK {
				return asEvents(resp)
			}
			if resp.Body != nil {
				resp.Body = &bounded{ReadCloser: resp.Body, left: maxBody, alive: s.alive}
			}
		}
		return resp, err
	})
}

// bounded is a body that fails once it is too large.
type bounded struct {
	io.ReadCloser
	left  int
	alive func()
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errTooBig
	}
	n, err := b.ReadCloser.Read(p[:min(len(p), b.left)])
	b.left -= n
	if n > 0 {
		b.alive()
	}
	return n, err
}

// whole asks for a reply in one piece, and shows it likewise.
func (m *Model) whole(ctx context.Context, p sdk.MessageNewParams, s *seen, show func(string)) (*received, error) {
	msg, err := m.client.Messages.New(ctx, p, watch(s))
	if err != nil {
		return nil, err
	}
	if msg == nil || !msg.JSON.Content.Valid() || !msg.JSON.StopReason.Valid() {
		return nil, errNoMessage
	}
	got := &received{stop: msg.StopReason, usage: usageOf(msg.Usage)}
	for _, b := range msg.Content {
		got.blocks = append(got.blocks, wholeBlock(json.RawMessage(b.RawJSON())))
	}
	if got.cut() {
		got.blocks[len(got.blocks)-1].markCut()
	}
	return got, nil
}
