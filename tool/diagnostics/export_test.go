package diagnostics

import "fmt"

// Live names the servers that run.
func (c *Checks) Live() (all []string) {
	c.turn <- struct{}{}
	defer c.give()
	for _, s := range c.live {
		all = append(all, fmt.Sprintf("%s %p", s.Name, s))
	}
	return all
}
