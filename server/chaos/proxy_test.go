package chaos

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	toxiproxy "github.com/Shopify/toxiproxy/v2"
	"github.com/rs/zerolog"
)

// A line is the network between clients and server. Each change of it is a new proxy, and cuts every
// connection: taking a toxic out of a proxy that is in use can hang.
type line struct {
	server string
	proxy  *toxiproxy.Proxy
	at     atomic.Value // string: where clients connect to
}

func newLine(t *testing.T, server string) *line {
	l := &line{server: server}
	check(t, l.clear())
	t.Cleanup(func() { l.proxy.Stop() })
	return l
}

// address is where clients connect to now.
func (l *line) address() string { return l.at.Load().(string) }

// A toxic is what is wrong with connections.
type toxic struct{ kind, direction, attributes string }

// change cuts every connection; new ones have these toxics.
func (l *line) change(toxics ...toxic) error {
	proxy := toxiproxy.NewProxy(toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.Nop()), "line", "127.0.0.1:0", l.server)
	for _, x := range toxics {
		text := fmt.Sprintf(`{"type": %q, "stream": %q, "attributes": %s}`, x.kind, x.direction, x.attributes)
		if _, err := proxy.Toxics.AddToxicJson(strings.NewReader(text)); err != nil {
			return err
		}
	}
	if err := proxy.Start(); err != nil {
		return err
	}
	l.at.Store(proxy.Listen)
	if l.proxy != nil {
		l.proxy.Stop()
	}
	l.proxy = proxy
	return nil
}

// clear lets everything pass.
func (l *line) clear() error { return l.change() }

// lead has connections go to another server.
func (l *line) lead(server string) error {
	l.server = server
	return l.clear()
}

// cutAfter has every connection end after so many bytes in one direction.
func (l *line) cutAfter(direction string, bytes int) error {
	return l.change(toxic{"limit_data", direction, fmt.Sprintf(`{"bytes": %d}`, bytes)})
}

// slow has everything come late, in milliseconds, and in small pieces.
func (l *line) slow(latency, piece int) error {
	return l.change(
		toxic{"latency", "downstream", fmt.Sprintf(`{"latency": %d, "jitter": %d}`, latency, latency)},
		toxic{"slicer", "downstream", fmt.Sprintf(`{"average_size": %d, "size_variation": %d, "delay": 50}`, piece, piece/2)},
	)
}

// reset has connections break, after a moment, with an error instead of an end.
func (l *line) reset(moment int) error {
	return l.change(toxic{"reset_peer", "downstream", fmt.Sprintf(`{"timeout": %d}`, moment)})
}
