package server

import (
	"rein"
)

// ServeWithin is Serve, with another time that a request may take to arrive.
var ServeWithin = serve

// An Operation is what tests outside the package see of the table.
type Operation struct {
	Name, Method, Path string
	Needs              rein.Scope
	Query              []string
	TakesBody          bool
}

// Operations lists all that the API does.
func Operations() []Operation {
	var all []Operation
	for _, o := range (&server{}).operations() {
		told := Operation{Name: o.name, Method: o.method, Path: o.path, Needs: o.needs, TakesBody: o.body != nil || o.media != ""}
		for _, p := range o.query {
			told.Query = append(told.Query, p.name)
		}
		all = append(all, told)
	}
	return all
}
