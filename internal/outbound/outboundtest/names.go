// Package outboundtest has a name server for tests of what is reached by name.
package outboundtest

import (
	"context"
	"encoding/binary"
	"net"
	"net/netip"
	"testing"
)

// Names returns a resolver that asks a name server of this test, which has one address of IPv4 for all names.
func Names(t testing.TB, address func() netip.Addr) *net.Resolver {
	t.Helper()
	server, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close() })
	go func() {
		buffer := make([]byte, 512)
		for {
			n, from, err := server.ReadFrom(buffer)
			if err != nil {
				return
			}
			_, _ = server.WriteTo(reply(buffer[:n], address), from)
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp", server.LocalAddr().String())
	}}
}

// reply answers a question for an address of IPv4, and says that there is none of IPv6.
func reply(query []byte, address func() netip.Addr) []byte {
	end := 12
	for end < len(query) && query[end] != 0 {
		end += int(query[end]) + 1
	}
	end += 5 // the root, type and class
	kind := binary.BigEndian.Uint16(query[end-4:])
	out := append([]byte{}, query[:end]...)
	out[2], out[3] = 0x84, 0 // an answer, with authority
	binary.BigEndian.PutUint16(out[6:], 0)
	binary.BigEndian.PutUint32(out[8:], 0)
	if kind == 1 {
		binary.BigEndian.PutUint16(out[6:], 1)
		out = append(out, 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4)
		a := address().As4()
		out = append(out, a[:]...)
	}
	return out
}
