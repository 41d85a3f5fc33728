package config

// hookSections are those of the webhooks that users make for themselves.
func hookSections() []Key {
	return []Key{
		{"hooks.allow", "", "", "what webhooks of users can reach beside the internet, also without TLS: networks such as \"10.0.0.0/24\", hosts such as \"home.lan\", other ports such as \"home.lan:8123\"", hostList(func(c *Config) *[]string { return &c.Hooks.Allow })},
	}
}
