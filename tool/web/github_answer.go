package web

import (
	"fmt"
	"strings"

	"rein"
)

// A githubAnswer is what /search/repositories, /search/code and /search/issues of GitHub answer.
type githubAnswer struct {
	Total      int          `json:"total_count"`
	Incomplete bool         `json:"incomplete_results"`
	Items      []githubItem `json:"items"`
}

// A githubItem has the parts of a repository, a file and an issue; each has its own.
type githubItem struct {
	HTMLURL string `json:"html_url"`
	// Of a repository:
	FullName    string `json:"full_name"`
	Description string
	Stars       int `json:"stargazers_count"`
	Language    string
	License     struct {
		SPDX string `json:"spdx_id"`
	}
	Archived bool
	PushedAt string `json:"pushed_at"`
	// Of a file:
	Path       string
	Repository struct {
		FullName string `json:"full_name"`
	}
	Matches []struct{ Fragment string } `json:"text_matches"`
	// Of an issue:
	Number        int
	Title         string
	State         string
	Body          string
	Comments      int
	User          struct{ Login string }
	CreatedAt     string    `json:"created_at"`
	RepositoryURL string    `json:"repository_url"`
	PullRequest   *struct{} `json:"pull_request"`
	Labels        []struct{ Name string }
}

func (g githubItem) hit(kind string) Hit {
	address, _ := webAddress(g.HTMLURL)
	hit := Hit{URL: address}
	switch kind {
	case "code":
		hit.Name = g.Repository.FullName + ": " + g.Path
		for _, m := range g.Matches {
			hit.About += " … " + m.Fragment
		}
		hit.About = strings.TrimPrefix(hit.About, " … ")
	case "issues":
		hit.Name, hit.Facts, hit.About = g.issueName(), g.issueFacts(), g.Body
	default:
		hit.Name, hit.Facts, hit.About = g.FullName, g.repositoryFacts(), g.Description
	}
	hit.Name, hit.Facts = line(hit.Name, 300), line(hit.Facts, 300)
	hit.About = rein.Clip(strings.Join(strings.Fields(hit.About), " "), 500) // code is no HTML
	return hit
}

func (g githubItem) issueName() string {
	_, repository, _ := strings.Cut(g.RepositoryURL, "/repos/")
	return fmt.Sprintf("%s#%d: %s", repository, g.Number, g.Title)
}

func (g githubItem) issueFacts() string {
	what := "issue"
	if g.PullRequest != nil {
		what = "pull request"
	}
	text := fmt.Sprintf("%s, %s, by %s on %s, %d comments", what, g.State, g.User.Login, day(g.CreatedAt), g.Comments)
	for _, l := range g.Labels {
		text += ", " + l.Name
	}
	return text
}

func (g githubItem) repositoryFacts() string {
	text := fmt.Sprintf("%d stars", g.Stars)
	for _, part := range []string{g.Language, g.License.SPDX} {
		if part != "" && part != "NOASSERTION" {
			text += ", " + part
		}
	}
	if g.PushedAt != "" {
		text += ", last change " + day(g.PushedAt)
	}
	if g.Archived {
		text += ", archived"
	}
	return text
}
