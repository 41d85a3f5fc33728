package cli

import (
	"os"
	"strings"

	"rein/api/client"
)

// serverFlags name a rein elsewhere.
type serverFlags struct{ url, tokenIn string }

func (s *serverFlags) flags() []flagDef {
	return []flagDef{
		text(&s.url, "server URL", "work with the rein at this address"),
		text(&s.tokenIn, "token-file FILE", "the file with the token for --server; default: the variable REIN_TOKEN"),
	}
}

// dial returns a client of that rein.
func (s *serverFlags) dial(c *call) (*client.Client, error) {
	token := c.env.Get("REIN_TOKEN")
	if s.tokenIn != "" {
		data, err := os.ReadFile(s.tokenIn)
		if err != nil {
			return nil, usagef("--token-file: %v", err)
		}
		token = string(data)
	}
	there, err := client.Remote(s.url, strings.TrimSpace(token))
	if err != nil {
		return nil, usagef("--server: %v", err)
	}
	return there, nil
}
