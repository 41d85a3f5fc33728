package app

import (
	"context"
	"slices"
	"strings"

	"rein"
	"rein/app/config"
	"rein/tool"
	"rein/tool/web"
)

// WebTools lists the tools that look at the web. Each needs settings of its own.
func WebTools() []string {
	return []string{"github.search", "search_web", "web.fetch_url", "web.search", "web.shopping_search"}
}

// MissingWeb says of a tool for the web what is missing, so that it is not offered; empty: nothing is.
func (s *Setup) MissingWeb(settings *config.Config, tool string) string {
	set := settings.Web
	switch tool {
	case "web.search", "search_web":
		return s.missingService(settings, set.Search, "web.search", "to searxng, brave or tavily")
	case "web.shopping_search":
		return s.missingService(settings, set.Shopping, "web.shopping", "to serpapi or searxng")
	case "github.search":
		return s.missingService(settings, set.GitHub, "web.github", "to true")
	case "web.fetch_url":
		if !set.Fetch {
			return "set web.fetch to true"
		}
	}
	return ""
}

func (s *Setup) missingService(settings *config.Config, service config.Service, key, to string) string {
	if service.Kind == "" {
		return "set " + key + " " + to
	}
	if name := service.KeyName(); name != "" && s.variables(settings).Get(name) == "" {
		return config.SpelledKey(name) + keyGone + key + "_key names it"
	}
	return ""
}

// keyGone stands in what is missing if a key is named that is not there.
const keyGone = " is not set, and "

// dropUnset takes tools for the web out of a task that selects them where they are not set up, and says so.
func (s *Setup) dropUnset(settings *config.Config, task *rein.Task) {
	task.Tools = slices.DeleteFunc(slices.Clone(task.Tools), func(name string) bool {
		missing := s.MissingWeb(settings, name)
		if missing != "" {
			task.Notices = append(slices.Clip(task.Notices), name+" is not set up here, so the run does not have it: "+missing)
		}
		return missing != ""
	})
}

// webSettings are the settings of the tools for the web. Keys are looked up when a call needs them.
func (s *Setup) webSettings(settings *config.Config) web.Settings {
	set := settings.Web
	service := func(of config.Service, key string) web.Service {
		made := web.Service{Kind: of.Kind, URL: of.URL, Setting: key}
		if name := of.KeyName(); name != "" {
			made.Key = func(context.Context, rein.Invocation) (string, error) {
				if value := s.variables(settings).Get(name); value != "" {
					return value, nil
				}
				return "", rein.Errorf(rein.CodeNotFound, "%s is not set", config.SpelledKey(name))
			}
		}
		return made
	}
	return web.Settings{
		Search: service(set.Search, "web.search"), Shopping: service(set.Shopping, "web.shopping"), GitHub: service(set.GitHub, "web.github"),
		Fetch: set.Fetch, Allow: set.Networks(), Hosts: set.Hosts(), Timeout: set.Timeout,
	}
}

// webTools makes the tools for the web. They read the settings at every call.
func (o *owner) webTools() (map[string]rein.Tool, error) {
	made, err := web.New(web.Options{Agent: "rein/" + Version(), Settings: func() web.Settings {
		now, _ := o.live.now()
		return o.setup.webSettings(now)
	}}).Tools()
	if err != nil {
		return nil, err
	}
	return tool.Set(made...)
}

// checkWeb says which of the tools for the web runs have, and what the others lack.
func (d *doctor) checkWeb(settings *config.Config) {
	var have, lacks []string
	for _, tool := range WebTools() {
		missing := d.setup.MissingWeb(settings, tool)
		switch {
		case tool == "search_web": // it is web.search
		case missing == "":
			have = append(have, tool)
		case strings.Contains(missing, keyGone):
			d.find(Wrong, "web", "set the key where web.search_key, web.shopping_key or web.github_key names it, or leave the service out of [web]", "%s is not offered: %s", tool, missing)
		default:
			lacks = append(lacks, tool+" ("+missing+")")
		}
	}
	if len(have) > 0 {
		d.find(Fine, "web", "", "runs can use %s; what they are called with leaves this machine", strings.Join(have, ", "))
	}
	if len(lacks) > 0 {
		d.find(Fine, "web", "", "not set up: %s", strings.Join(lacks, ", "))
	}
}
