package server_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"rein"
	"rein/api"
	"rein/server"
)

// A rule says with which status someone is answered who is recognised, and whose credential is good
// for what the operation needs.
type rule func(v visitor) int

func sees(who rein.Identity) bool { return who.Sees("home", "ann") }

func isAnn(who rein.Identity) bool { return who.Household == "home" && who.User == "ann" }

// manages: ann herself, or who manages her household.
func manages(who rein.Identity) bool {
	return isAnn(who) || who.Household == "home" && who.May(rein.ScopeAdmin)
}

func managesOnly(who rein.Identity) bool { return who.Household == "home" && who.May(rein.ScopeAdmin) }

// always is answered so to everyone.
func always(status int) rule { return func(visitor) int { return status } }

// operated is for the admins of the household that the process belongs to.
func operated(status int) rule {
	return func(v visitor) int {
		if v.who.Household == "home" {
			return status
		}
		return http.StatusForbidden
	}
}

// seen is for who may see what is ann's; for others it does not exist.
func seen(status int) rule {
	return func(v visitor) int {
		if sees(v.who) {
			return status
		}
		return http.StatusNotFound
	}
}

// changed is for who may change what is ann's; who only sees it is told that they may not.
func changed(status int) rule {
	return func(v visitor) int {
		switch {
		case v.who.Changes("home", "ann"):
			return status
		case sees(v.who):
			return http.StatusForbidden
		}
		return http.StatusNotFound
	}
}

// annAnswers is for ann alone: nobody says yes in another's name.
func annAnswers(status int) rule {
	return func(v visitor) int {
		switch {
		case !sees(v.who):
			return http.StatusNotFound
		case isAnn(v.who) && v.who.May(rein.ScopeAnswer):
			return status
		}
		return http.StatusForbidden
	}
}

// owned is for ann; who sees it is refused, and others are answered as if it were not there.
func owned(status, otherwise int) rule {
	return func(v visitor) int {
		switch {
		case isAnn(v.who):
			return status
		case !sees(v.who):
			return otherwise
		}
		return http.StatusForbidden
	}
}

// ofUser is about ann as a user of her household.
func ofUser(status int) rule {
	return func(v visitor) int {
		switch {
		case !v.who.May(rein.ScopeAdmin):
			return http.StatusForbidden
		case v.who.Household != "home":
			return http.StatusNotFound
		}
		return status
	}
}

// annsOnly is about what only ann has: not even an owner of her household finds it.
func annsOnly(status int) rule {
	return func(v visitor) int {
		if isAnn(v.who) {
			return status
		}
		return http.StatusNotFound
	}
}

// ofRule is about a rule of ann's: for her and for who manages her household.
func ofRule(status int) rule {
	return func(v visitor) int {
		if manages(v.who) {
			return status
		}
		return http.StatusNotFound
	}
}

// ofSeen lists what is ann's: for who may see it, and for who sees all of another household.
func ofSeen(status int) rule {
	return func(v visitor) int {
		if isAnn(v.who) || v.who.User == "ann" || v.who.Role == rein.Owner || v.who.Role == rein.Viewer {
			return status
		}
		return http.StatusForbidden
	}
}

// ofHousehold is about what belongs to the sender's household.
func ofHousehold(status int) rule {
	return func(v visitor) int {
		if v.who.May(rein.ScopeAdmin) {
			return status
		}
		return http.StatusForbidden
	}
}

// ends reports whether someone may end the other credentials of their own.
func ends(v visitor) bool {
	return v.browser() || v.who.May(rein.ScopeAct) || v.who.May(rein.ScopeAdmin)
}

func revokes(v visitor) int {
	switch {
	case managesOnly(v.who), isAnn(v.who) && ends(v):
		return http.StatusNoContent
	case isAnn(v.who):
		return http.StatusForbidden
	}
	return http.StatusNotFound
}

func logsOut(v visitor) int {
	switch {
	case managesOnly(v.who), isAnn(v.who) && ends(v):
		return http.StatusNoContent
	case v.who.May(rein.ScopeAdmin):
		return http.StatusNotFound
	}
	return http.StatusForbidden
}

// makesToken is for who is in a browser or manages the household, so that tokens do not make tokens,
// and no token is good for more than who makes it.
func makesToken(v visitor) int {
	if v.browser() || v.who.May(rein.ScopeAdmin) && v.who.May(rein.ScopeRead) {
		return http.StatusCreated
	}
	return http.StatusForbidden
}

// handsOut is for who may do all that a user with the role may: nobody hands out more than they have.
func handsOut(role rein.UserRole, status int) rule {
	return func(v visitor) int {
		for _, s := range role.Scopes() {
			if !v.who.May(s) {
				return http.StatusForbidden
			}
		}
		return status
	}
}

// records are told of ann to herself and to who manages a household, of which she may not be.
func records(v visitor) int {
	if isAnn(v.who) || v.who.May(rein.ScopeAdmin) {
		return http.StatusOK
	}
	return http.StatusForbidden
}

func isHome(who rein.Identity) bool { return who.Household == "home" }

// inHome is for everyone of ann's household; for others it does not exist.
func inHome(status int) rule {
	return func(v visitor) int {
		if isHome(v.who) {
			return status
		}
		return http.StatusNotFound
	}
}

// onlyAnn is for ann; for everybody else, the owner of her household too, it does not exist.
func onlyAnn(status int) rule {
	return func(v visitor) int {
		if isAnn(v.who) {
			return status
		}
		return http.StatusNotFound
	}
}

// annsAtHome is for ann; those of her household may look at it, and for others it does not exist.
func annsAtHome(status int) rule {
	return func(v visitor) int {
		switch {
		case isAnn(v.who):
			return status
		case isHome(v.who):
			return http.StatusForbidden
		}
		return http.StatusNotFound
	}
}

// adults is for who answers for a household.
func adults(status int) rule {
	return func(v visitor) int {
		if v.who.Role.IsAdult() {
			return status
		}
		return http.StatusForbidden
	}
}

// deletesList is for ann, who made it, and for the owner of her household.
func deletesList(status int) rule {
	return func(v visitor) int {
		switch {
		case isAnn(v.who), isHome(v.who) && v.who.Role == rein.Owner:
			return status
		case isHome(v.who):
			return http.StatusForbidden
		}
		return http.StatusNotFound
	}
}

// keepsPage is for who may act, and for who looks in a browser.
func keepsPage(status int) rule {
	return func(v visitor) int {
		if v.who.May(rein.ScopeAct) || v.browser() {
			return status
		}
		return http.StatusForbidden
	}
}

// A sample is one request of an operation, and how it is answered.
type sample struct {
	of      string // the operation's name, or the mount
	needs   rein.Scope
	method  string
	target  func(things) string
	body    func(things) string
	headers []string
	rule    rule
	told    func(rein.Identity) bool // who may be told what is ann's; nil: who sees it
	lists   bool                     // it names nothing of ann's, so that not even names may be told
	changes bool                     // where it succeeds something changes: each needs things of its own
	late    bool                     // it ends the credential that it is sent with, or others'
}

func at(target string) func(things) string { return func(things) string { return target } }

// on fills in the names of ann's things.
func on(format string) func(things) string {
	return func(a things) string {
		return strings.NewReplacer("RUN", string(a.run), "CHILD", string(a.child), "DONE", string(a.done), "ASK", string(a.ask), "DIGEST", a.shown,
			"SESSION", a.session, "FILE", a.file, "TOKEN", a.token, "RULE", a.rule, "CHANNEL", a.channel, "HOOK", a.hook, "MESSAGE", a.message, "JOB", a.job, "LIST", a.list, "OWN", a.own, "MEMORY", a.memory, "TOLD", a.told, "EVENT", a.event, "SECRETLY", a.secretly).Replace(format)
	}
}

// wantsStream asks for a stream of what a request starts.
var wantsStream = []string{"Accept", "text/event-stream"}

// withRead is for who may also look: a stream shows what others of the API need the scope for.
func withRead(next rule) rule {
	return func(v visitor) int {
		if !v.who.May(rein.ScopeRead) {
			return http.StatusForbidden
		}
		return next(v)
	}
}

// withAnswer is for who may also answer.
func withAnswer(next rule) rule {
	return func(v visitor) int {
		if !v.who.May(rein.ScopeAnswer) {
			return http.StatusForbidden
		}
		return next(v)
	}
}

// keepsAgenda is for who may change the agenda, which guests may not.
func keepsAgenda(next rule) rule {
	return func(v visitor) int {
		if v.who.Role == rein.Guest {
			return http.StatusForbidden
		}
		return next(v)
	}
}

// plans is for who may make jobs: what a child or a guest wants done later, an adult agrees to.
func plans(next rule) rule {
	return func(v visitor) int {
		if v.who.Role == rein.Child || v.who.Role == rein.Guest {
			return http.StatusForbidden
		}
		return next(v)
	}
}

// subscription is one of a browser.
const subscription = `{"endpoint":"https://push.example.org/one","expirationTime":null,"keys":{"p256dh":"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4","auth":"BTBZMqHH6r4Tts7J_aSIgg"}}`

// samples has requests of every operation of the API, by its name.
func samples() []sample {
	nobody := func(rein.Identity) bool { return false }
	return []sample{
		{of: "startRun", target: at("/v1/runs"), body: at(`{"task":{"flow":"chat","messages":[{"role":"user","text":"hi"}]}}`), rule: always(201), lists: true, changes: true},
		{of: "startRun", target: at("/v1/runs"), body: on(`{"id":"RUN","task":{"flow":"chat"}}`), rule: always(409), told: nobody},
		{of: "startRun", target: at("/v1/runs"), body: on(`{"task":{"flow":"chat","session":"SESSION"}}`), rule: owned(201, 409), changes: true},
		{of: "startRun", target: at("/v1/runs"), body: at(`{"task":{"flow":"chat","user":"ann"}}`), changes: true, rule: func(v visitor) int {
			if v.who.User == "ann" {
				return 201
			}
			return 403
		}},
		{of: "startRun", target: at("/v1/runs"), body: at(`{"task":{"flow":"chat","policy":{"allow":["nothing"]}}}`), rule: func(v visitor) int {
			if !v.who.May(rein.ScopeAnswer) || !v.who.Role.IsAdult() {
				return 403 // to approve beforehand is to answer, and only adults answer more than one call at a time
			}
			return 400 // there is no such tool
		}},
		{of: "startRun", target: at("/v1/runs"), body: at(`{"task":{"flow":"chat","fork":{"run":"r","step":"1","allow":["nothing"]}}}`), rule: func(v visitor) int {
			if !v.who.May(rein.ScopeAnswer) || v.who.Role == rein.Child || v.who.Role == rein.Guest {
				return 403 // what a fork leaves undone is done only if who may approve it says so
			}
			return 404 // there is no such run
		}},
		{of: "startRun", target: at("/v1/runs"), body: on(`{"task":{"flow":"chat","fork":{"run":"DONE","step":"1"}}}`), rule: owned(201, 404), changes: true},
		{of: "startRun", target: at("/v1/runs?tree=1"), headers: wantsStream, body: at(`{"task":{"flow":"chat","messages":[{"role":"user","text":"hi"}]}}`), rule: withRead(always(201)), lists: true, changes: true},
		{of: "startRun", target: at("/v1/runs"), headers: wantsStream, body: on(`{"id":"RUN","task":{"flow":"chat"}}`), rule: withRead(always(409)), told: nobody},
		{of: "startRun", target: at("/v1/runs"), headers: wantsStream, body: on(`{"id":"DONE","task":{"flow":"chat"}}`), rule: withRead(always(409)), told: nobody},
		{of: "startRun", target: at("/v1/runs"), headers: wantsStream, body: on(`{"task":{"flow":"chat","session":"SESSION"}}`), rule: withRead(owned(201, 409)), changes: true},
		{of: "listRuns", target: at("/v1/runs"), rule: always(200), lists: true},
		{of: "listRuns", target: at("/v1/runs?newest=1&roots=1&status=waiting&limit=1"), rule: always(200), lists: true},
		{of: "listRuns", target: on("/v1/runs?session=SESSION"), rule: always(200), lists: true},
		{of: "listRuns", target: at("/v1/runs?q=" + secret + "&flow=chat&workspace=x&since=2026-01-01T00:00:00Z&min_micros=1"), rule: always(200), lists: true},
		{of: "listRuns", target: at("/v1/runs?q=" + secret), rule: always(200), lists: true},
		{of: "listRuns", target: at("/v1/runs?user=ann"), rule: ofSeen(200), lists: true},
		{of: "listRuns", target: at("/v1/runs?since=yesterday"), rule: always(400), lists: true},
		{of: "listRuns", target: on("/v1/runs?tree=RUN"), rule: seen(200)},
		{of: "listRuns", target: on("/v1/runs?after=RUN"), rule: seen(200)},
		{of: "showRun", target: on("/v1/runs/RUN"), rule: seen(200)},
		{of: "showRun", target: on("/v1/runs/CHILD"), rule: seen(200)},
		{of: "live", target: at("/v1/live"), rule: always(400), lists: true}, // for what is heard, see TestLiveIsPrivate
		{of: "live", target: at("/v1/live"), headers: []string{"Upgrade", "websocket"}, rule: always(426), lists: true},
		{of: "showFeedback", target: on("/v1/runs/RUN/feedback"), rule: seen(200)},
		{of: "showFeedback", target: on("/v1/runs/CHILD/feedback"), rule: seen(200)},
		{of: "giveFeedback", target: on("/v1/runs/DONE/feedback"), body: at(`{"rating":"up","comment":"well said"}`), rule: changed(200), changes: true},
		{of: "giveFeedback", target: on("/v1/runs/DONE/feedback"), body: at(`{"rating":"so-so"}`), rule: changed(400)},
		{of: "showTree", target: on("/v1/runs/RUN/tree"), rule: seen(200)},
		{of: "showBudget", target: on("/v1/runs/RUN/budget"), rule: seen(200)},
		{of: "showBudget", target: on("/v1/runs/CHILD/budget"), rule: seen(200)},
		{of: "showTodo", target: on("/v1/runs/RUN/todo"), rule: seen(200)},
		{of: "showTodo", target: on("/v1/runs/CHILD/todo"), rule: seen(200)},
		{of: "forkRun", target: on("/v1/runs/DONE/forks"), body: at(`{"step":"1"}`), rule: withRead(owned(201, 404)), changes: true},
		{of: "forkRun", target: on("/v1/runs/DONE/forks?tree=1"), headers: wantsStream, body: at(`{"step":"1","text":"No."}`), rule: withRead(owned(201, 404)), changes: true},
		{of: "forkRun", target: on("/v1/runs/DONE/forks"), body: at(`{"step":"99"}`), rule: withRead(owned(400, 404))},
		{of: "replayRun", target: on("/v1/runs/DONE/replay"), rule: seen(200)},
		{of: "listSteps", target: on("/v1/runs/RUN/steps"), rule: seen(200)},
		{of: "listSteps", target: on("/v1/runs/CHILD/steps?after=1&limit=1"), rule: seen(200)},
		{of: "showStep", target: on("/v1/runs/DONE/steps/1"), rule: seen(200)},
		{of: "showStep", target: on("/v1/runs/RUN/steps/77"), rule: seen(404)},
		{of: "verifyRun", target: on("/v1/runs/RUN/verify?tree=1"), rule: seen(200)},
		{of: "verifyRun", target: on("/v1/runs/CHILD/verify"), rule: seen(200)},
		{of: "verifyRun", target: on("/v1/runs/RUN/verify?tree=1&after=DONE"), rule: seen(400)},
		{of: "readImage", target: on("/v1/runs/RUN/images/" + strings.Repeat("0", 64)), rule: seen(404)},
		{of: "listReceipts", target: on("/v1/runs/RUN/receipts"), rule: seen(200)},
		{of: "listRunChanges", target: on("/v1/runs/RUN/changes"), rule: seen(200)},
		{of: "listFileChanges", target: at("/v1/undoable"), rule: always(200), lists: true},
		{of: "listBackground", target: at("/v1/background"), rule: always(200), lists: true}, // none runs here; see TestBackgroundCommands
		{of: "stopBackground", target: at("/v1/background/bg-1"), rule: always(404)},
		{of: "showTree", target: on("/v1/runs/CHILD/tree"), rule: seen(200)},
		{of: "events", target: on("/v1/runs/RUN/events?tree=1"), rule: seen(200)},
		{of: "events", target: on("/v1/runs/RUN/events?after=99999"), rule: seen(400)},
		{of: "events", target: on("/v1/runs/DONE/events"), headers: []string{"Accept", "text/event-stream"}, rule: seen(200)},
		{of: "events", target: on("/v1/runs/DONE/events"), headers: []string{"Accept", "text/event-stream", "Last-Event-ID", "2"}, rule: seen(200)},
		{of: "events", target: on("/v1/runs/DONE/events"), headers: []string{"Upgrade", "websocket"}, rule: seen(426)},
		{of: "resumeRun", method: "POST", target: on("/v1/runs/RUN/resume"), rule: changed(200), changes: true},
		{of: "command", target: at("/v1/commands"), body: on(`{"kind":"comment","run":"RUN","text":"hm"}`), rule: changed(200), changes: true},
		{of: "command", target: at("/v1/commands"), body: on(`{"kind":"message","run":"CHILD","text":"hm"}`), rule: changed(200), changes: true},
		{of: "command", target: at("/v1/commands"), body: on(`{"kind":"cancel","run":"RUN"}`), rule: changed(200), changes: true},
		{of: "command", target: at("/v1/commands"), body: on(`{"kind":"message","run":"CHILD","text":"hm","by":"ann"}`), rule: changed(400)},
		{of: "command", target: at("/v1/commands"), body: on(`{"kind":"answer","ask":"ASK","answer":{"state":"answered","text":"red","shown":"DIGEST"}}`), rule: annAnswers(200), changes: true},
		{of: "command", target: at("/v1/commands"), body: on(`{"kind":"answer","ask":"ASK","answer":{"state":"answered","text":"red"}}`), rule: annAnswers(400)},
		{of: "command", target: at("/v1/commands"), body: on(`{"kind":"answer","ask":"ASK","answer":{"state":"answered","text":"red","shown":"v2-1"}}`), rule: annAnswers(409)},
		{of: "command", target: at("/v1/commands"), body: on(`{"kind":"comment","run":"RUN","text":"hm","text":"ha"}`), rule: always(400)},
		{of: "answerAsk", target: on("/v1/asks/ASK/answer"), body: on(`{"state":"declined","state":"answered","text":"red","shown":"DIGEST"}`), rule: always(400)},
		{of: "answerAsk", target: on("/v1/asks/ASK/answer"), body: on(`{"state":"declined","STATE":"answered","text":"red","shown":"DIGEST"}`), rule: always(400)},
		{of: "listAsks", target: at("/v1/asks"), rule: always(200), lists: true},
		{of: "listAsks", target: at("/v1/asks?for=ann&state=pending"), rule: always(200), lists: true},
		{of: "listAsks", target: on("/v1/asks?tree=RUN"), rule: seen(200)},
		{of: "showAsk", target: on("/v1/asks/ASK"), rule: seen(200)},
		{of: "answerAsk", target: on("/v1/asks/ASK/answer"), body: on(`{"state":"answered","text":"red","shown":"DIGEST"}`), rule: annAnswers(200), changes: true},
		{of: "answerAsk", target: on("/v1/asks/ASK/answer"), body: on(`{"state":"answered","text":"red","shown":"DIGEST","by":"ann"}`), rule: annAnswers(400)},
		{of: "answerAsk", target: on("/v1/asks/ASK/answer"), body: at(`{"state":"answered","text":"red"}`), rule: annAnswers(400)},
		{of: "answerAsk", target: on("/v1/asks/ASK/answer"), body: at(`{"state":"answered","text":"red","shown":"v2-1"}`), rule: annAnswers(409)},
		{of: "answerAsk", target: on("/v1/asks/ASK/answer"), body: on(`{"state":"answered","text":"red","shown":"DIGEST","scope":"always"}`), rule: annAnswers(400)},
		{of: "listRules", target: at("/v1/rules"), rule: always(200), told: manages, lists: true},
		{of: "listRules", target: at("/v1/rules?revoked=1&user=ann"), rule: always(200), told: manages, lists: true},
		{of: "listRules", target: on("/v1/rules?after=RULE&limit=1"), rule: ofRule(200), told: manages},
		{of: "listMessages", target: at("/v1/messages"), rule: always(200), told: isAnn, lists: true},
		{of: "listMessages", target: on("/v1/messages?unread=1&before=MESSAGE&limit=1"), rule: always(200), told: isAnn, lists: true},
		{of: "seeMessages", target: at("/v1/messages/seen"), body: on(`{"ids":["MESSAGE"]}`), rule: annsOnly(204), changes: true},
		{of: "showMessagePreferences", target: at("/v1/messages/preferences"), rule: always(200), lists: true},
		{of: "setMessagePreferences", target: at("/v1/messages/preferences"), body: at(`{"quiet":[{"from":"22:00","to":"07:00"}]}`), rule: always(200), lists: true, changes: true},
		{of: "setMessagePreferences", target: at("/v1/messages/preferences"), body: at(`{"quiet":[{"from":"22:00","to":"22:00"}]}`), rule: always(400), lists: true},
		{of: "listChannels", target: at("/v1/channels"), rule: always(200), told: isAnn, lists: true},
		{of: "addChannel", target: at("/v1/channels"), body: at(`{"kind":"mail","address":"me@example.org"}`), rule: withRead(always(409)), lists: true}, // there is no mail server
		{of: "addChannel", target: at("/v1/channels"), body: at(`{"kind":"push","address":"me@example.org"}`), rule: withRead(always(400)), lists: true},
		{of: "newPairingCode", target: at("/v1/channels/pair"), rule: withRead(withAnswer(always(201))), lists: true},
		{of: "changeChannel", target: on("/v1/channels/CHANNEL"), body: at(`{"muted":["notice"]}`), rule: annsOnly(200), told: isAnn, changes: true},
		{of: "removeChannel", target: on("/v1/channels/CHANNEL"), rule: annsOnly(204), changes: true},
		{of: "sendChannelCode", target: on("/v1/channels/CHANNEL/code"), rule: annsOnly(409)},
		{of: "verifyChannel", target: on("/v1/channels/CHANNEL/verify"), body: at(`{"code":"12345678"}`), rule: withRead(annsOnly(400))},
		{of: "testChannel", target: on("/v1/channels/CHANNEL/test"), rule: annsOnly(409)},
		{of: "listHooks", target: at("/v1/hooks"), rule: always(200), told: isAnn, lists: true},
		{of: "addHook", target: at("/v1/hooks"), body: at(`{"url":"http://127.0.0.1/x"}`), rule: withRead(always(400)), lists: true},
		{of: "removeHook", target: on("/v1/hooks/HOOK"), rule: annsOnly(204), changes: true},
		{of: "callHook", target: on("/v1/hooks/HOOK"), body: at(`{"id":"1","text":"x"}`), rule: always(401), lists: true},
		{of: "showPushKey", target: at("/v1/push/key"), rule: always(200), lists: true},
		{of: "subscribePush", target: at("/v1/push/subscriptions"), body: at(subscription), rule: withRead(always(201)), lists: true, changes: true},
		{of: "subscribePush", target: at("/v1/push/subscriptions"), body: at(`{"endpoint":"http://127.0.0.1/x","keys":{"p256dh":"","auth":""}}`), rule: withRead(always(400)), lists: true},
		{of: "revokeRule", target: on("/v1/rules/RULE"), rule: ofRule(200), told: manages, changes: true},
		{of: "listSessions", target: at("/v1/sessions"), rule: always(200), lists: true},
		{of: "listSessions", target: on("/v1/sessions?after=SESSION"), rule: seen(200)},
		{of: "listSessions", target: on("/v1/sessions?q=SESSION&archived=1"), rule: always(200), lists: true},
		{of: "listSessions", target: at("/v1/sessions?user=ann"), rule: ofSeen(200), lists: true},
		{of: "showSession", target: on("/v1/sessions/SESSION"), rule: seen(200)},
		{of: "changeSession", target: on("/v1/sessions/SESSION"), body: at(`{"title":"garden","pinned":true}`), rule: changed(200), changes: true},
		{of: "changeSession", target: on("/v1/sessions/SESSION"), body: at(`{}`), rule: changed(400)},
		{of: "branchSession", target: on("/v1/sessions/SESSION/branches"), body: on(`{"run":"DONE","task":{"flow":"chat","messages":[{"role":"user","text":"hi"}]}}`), rule: owned(201, 404), changes: true},
		{of: "branchSession", target: on("/v1/sessions/SESSION/branches"), headers: wantsStream, body: on(`{"run":"RUN","task":{"flow":"chat"}}`), rule: withRead(owned(201, 404)), changes: true},
		{of: "branchSession", target: on("/v1/sessions/SESSION/branches"), body: on(`{"run":"CHILD","task":{"flow":"chat"}}`), rule: owned(404, 404)},
		{of: "listBranches", target: on("/v1/sessions/SESSION/branches"), rule: seen(200)},
		{of: "sessionHistory", target: on("/v1/sessions/SESSION/history"), rule: seen(200)},
		{of: "sessionHistory", target: on("/v1/sessions/SESSION/history?newest=1&after=DONE&limit=1"), rule: seen(200)},
		{of: "say", target: on("/v1/sessions/SESSION/messages"), body: at(`{"text":"hi","task":{"flow":"chat"}}`), rule: owned(200, 409), changes: true},
		{of: "listFiles", target: on("/v1/sessions/SESSION/files"), rule: always(200), lists: true},
		{of: "readFile", target: on("/v1/sessions/SESSION/files/FILE"), rule: seen(200)},
		{of: "readFile", target: on("/v1/sessions/SESSION/files/FILE"), headers: []string{"Range", "bytes=0-4"}, rule: seen(206)},
		{of: "putFile", target: on("/v1/sessions/SESSION/files/FILE"), body: at("mine"), rule: owned(200, 200), changes: true},
		{of: "deleteFile", target: on("/v1/sessions/SESSION/files/FILE"), rule: owned(204, 404), changes: true},
		{of: "listDeliveries", target: at("/v1/deliveries"), rule: always(503)}, // there are no webhooks here
		{of: "retryWebhook", target: at("/v1/webhooks/x/retry"), rule: always(503)},
		{of: "notes", target: at("/v1/notes"), rule: always(503)}, // there are none here; see TestNotes
		{of: "searchNotes", target: at("/v1/notes/search?q=x"), rule: always(503)},
		{of: "readNote", target: at("/v1/notes/read?path=x.md"), rule: always(503)},
		{of: "noteLinks", target: at("/v1/notes/links?path=x.md"), rule: always(503)},
		{of: "openNote", target: at("/v1/notes/file?path=x.pdf"), rule: always(503)},
		{of: "listStaged", target: at("/v1/notes/staged"), rule: always(503)}, // cli has the tests
		{of: "showStaged", target: on("/v1/notes/staged/SESSION"), rule: always(503)},
		{of: "commitNotes", target: on("/v1/notes/staged/SESSION/commit"), body: at(`{"shown":"x"}`), rule: always(503)},
		{of: "discardNotes", target: on("/v1/notes/staged/SESSION/discard"), body: at(`{}`), rule: always(503)},
		{of: "listCommits", target: at("/v1/notes/commits"), rule: always(503)},
		{of: "showCommit", target: at("/v1/notes/commits/x"), rule: always(503)},
		{of: "undoNotes", target: at("/v1/notes/commits/x/undo"), body: at(`{"shown":"x"}`), rule: always(503)},
		{of: "listFlows", target: at("/v1/flows"), rule: always(200), lists: true},
		{of: "listPresets", target: at("/v1/presets"), rule: always(200), lists: true}, // there are none here; cli has the tests
		{of: "showPreset", target: at("/v1/presets/x"), rule: always(503)},
		{of: "savePreset", target: at("/v1/presets/x"), body: on(`{"run":"RUN"}`), rule: always(503)},
		{of: "removePreset", target: at("/v1/presets/x"), rule: always(503)},
		{of: "listTools", target: at("/v1/tools"), rule: always(200), lists: true},
		{of: "listModels", target: at("/v1/models"), rule: always(200), lists: true},
		{of: "limits", target: at("/v1/limits"), rule: always(200), told: manages, lists: true},
		{of: "usage", target: at("/v1/usage?by=session"), rule: always(200), told: manages, lists: true},
		{of: "usage", target: at("/v1/usage?by=user&user=ann"), rule: records, told: manages, lists: true},
		{of: "audit", target: at("/v1/audit"), rule: always(200), told: manages, lists: true},
		{of: "audit", target: at("/v1/audit?by=ann"), rule: always(200), told: manages, lists: true},
		{of: "audit", target: at("/v1/audit?user=ann"), rule: records, told: manages, lists: true},
		{of: "audit", target: on("/v1/audit?tree=RUN"), rule: seen(200), told: manages},
		{of: "lastHead", target: at("/v1/audit/head"), rule: operated(404)}, // there is none yet
		{of: "newHead", target: at("/v1/audit/head"), rule: operated(201), late: true},
		{of: "planErasure", target: on("/v1/erasures?run=DONE"), rule: changed(200)},
		{of: "planErasure", target: on("/v1/erasures?run=RUN"), rule: changed(409)}, // it has not ended
		{of: "planErasure", target: on("/v1/erasures?session=SESSION"), rule: changed(409)},
		{of: "planErasure", target: at("/v1/erasures?user=ann"), rule: ofUser(409)},
		{of: "planErasure", target: at("/v1/erasures"), rule: always(400)},
		{of: "erase", target: at("/v1/erasures"), body: on(`{"run":"DONE","shown":"0123456789"}`), rule: changed(409)}, // it was not listed
		{of: "erase", target: at("/v1/erasures"), body: on(`{"run":"DONE"}`), rule: always(400)},
		{of: "erase", target: at("/v1/erasures"), body: on(`{"run":"DONE","session":"SESSION","shown":"0"}`), rule: always(400)},
		{of: "listWorkspaces", target: at("/v1/workspaces"), rule: always(503)}, // there are none here; cli has the tests
		{of: "addWorkspace", target: at("/v1/workspaces"), body: at(`{"name":"x","root":"/tmp"}`), rule: always(503)},
		{of: "removeWorkspace", target: at("/v1/workspaces/x"), rule: always(503)},
		{of: "getTrust", target: at("/v1/workspaces/x/trust"), rule: always(503)},
		{of: "decideTrust", target: at("/v1/workspaces/x/trust"), body: at(`{"hash":"x"}`), rule: always(503)},
		{of: "listTrust", target: at("/v1/trust"), rule: always(503)},
		{of: "revokeTrust", target: at("/v1/trust/x"), rule: always(503)},
		{of: "listCommands", target: at("/v1/workspaces/x/commands"), rule: always(503)},
		{of: "listMCP", target: at("/v1/mcp"), rule: always(503)}, // there are none here; cli has the tests
		{of: "addMCP", target: at("/v1/mcp"), body: at(`{"name":"x","url":"https://example.org"}`), rule: always(503)},
		{of: "removeMCP", target: at("/v1/mcp/x"), rule: always(503)},
		{of: "testMCP", target: at("/v1/mcp/x/test"), rule: always(503)},
		{of: "loginMCP", target: at("/v1/mcp/x/login"), rule: always(503)},
		{of: "logoutMCP", target: at("/v1/mcp/x/login"), rule: always(503)},
		{of: "acceptMCP", target: at("/v1/mcp/x/accept"), rule: always(503)},
		{of: "me", target: at("/v1/me"), rule: always(200), lists: true},
		{of: "listUsers", target: at("/v1/users"), rule: always(200), lists: true},
		{of: "addUser", target: at("/v1/users"), body: on(`{"name":"uTOKEN","role":"viewer"}`), rule: always(201), changes: true},
		{of: "changeUser", target: at("/v1/users/ann"), body: at(`{"role":"owner"}`), rule: ofUser(200), changes: true, late: true},
		{of: "newLink", target: at("/v1/users/ann/link"), rule: func(v visitor) int {
			if managesOnly(v.who) && !(v.who.May(rein.ScopeRead) && v.who.May(rein.ScopeAct) && v.who.May(rein.ScopeAnswer)) {
				return 403 // it is good for more than they are
			}
			return ofUser(201)(v)
		}, changes: true},
		{of: "logoutUser", target: at("/v1/users/ann/logout"), rule: logsOut, changes: true, late: true},
		{of: "listTokens", target: at("/v1/tokens"), rule: always(200), told: manages, lists: true},
		{of: "newToken", target: at("/v1/tokens"), body: at(`{"label":"more","scopes":["read"]}`), rule: makesToken, changes: true},
		{of: "newToken", target: at("/v1/tokens"), body: at(`{"user":"ann","label":"more","scopes":["read"]}`), changes: true, rule: func(v visitor) int {
			if isAnn(v.who) {
				return makesToken(v)
			}
			return ofUser(201)(v)
		}},
		{of: "revokeToken", target: on("/v1/tokens/TOKEN"), rule: revokes, changes: true},
		{of: "showHousehold", target: at("/v1/household"), rule: always(200), lists: true},
		{of: "listHouseholds", target: at("/v1/households"), rule: always(403)}, // they are for who can open the data folder
		{of: "addHousehold", target: at("/v1/households"), body: at(`{"name":"more","owner":"me"}`), rule: always(403)},
		{of: "newHouseholdLink", target: at("/v1/households/home/users/ann/link"), rule: always(403)},
		{of: "newInvite", target: at("/v1/invites"), body: at(`{"role":"child"}`), rule: handsOut(rein.Child, 201), lists: true, changes: true},
		{of: "newInvite", target: at("/v1/invites"), body: at(`{"role":"owner"}`), rule: always(400), lists: true},
		{of: "listInvites", target: at("/v1/invites"), rule: always(200), lists: true},
		{of: "revokeInvite", target: at("/v1/invites/nothing"), rule: always(404), lists: true},
		{of: "newPairing", target: at("/v1/pairings"), body: at(`{}`), lists: true, changes: true, rule: func(v visitor) int {
			if v.who.Role == rein.Service {
				return 400 // it has no browser
			}
			return handsOut(v.who.Role, 201)(v)
		}},
		{of: "newPairing", target: at("/v1/pairings"), body: at(`{"user":"ann"}`), changes: true, rule: func(v visitor) int {
			switch {
			case !isAnn(v.who) && !v.who.May(rein.ScopeAdmin):
				return 403
			case v.who.Household != "home":
				return 404
			}
			return handsOut(rein.Member, 201)(v)
		}},
		{of: "listDevices", target: at("/v1/devices"), rule: always(200), lists: true},
		{of: "listDevices", target: at("/v1/devices?user=ann"), rule: func(v visitor) int {
			if isAnn(v.who) {
				return 200
			}
			return ofUser(200)(v)
		}},
		{of: "revokeDevice", target: at("/v1/devices/nothing"), rule: func(v visitor) int {
			if !ends(v) {
				return 403
			}
			return 404
		}},
		{of: "listSecrets", target: at("/v1/secrets"), rule: always(200), told: isAnn, lists: true},
		{of: "setSecret", target: at("/v1/secrets/OWN"), body: at(`{"value":"another"}`), rule: always(200), told: nobody, changes: true},
		{of: "setSecret", target: at("/v1/secrets/X?shared=1"), body: at(`{"value":"another"}`), rule: ofHousehold(200), told: nobody, changes: true},
		{of: "setSecret", target: at("/v1/secrets/mcp%2Ffiles"), body: at(`{"value":"another"}`), rule: always(400), told: nobody},
		{of: "setSecret", target: at("/v1/secrets/X"), body: at(`{}`), rule: always(400), told: nobody},
		{of: "removeSecret", target: at("/v1/secrets/" + mark + "key"), told: nobody, changes: true, rule: func(v visitor) int {
			if isAnn(v.who) {
				return 204
			}
			return 404
		}},
		{of: "removeSecret", target: at("/v1/secrets/nothing?shared=1"), rule: ofHousehold(404), told: nobody},
		{of: "rekeySecrets", target: at("/v1/secret-key"), rule: operated(200), told: nobody, changes: true},
		{of: "listChanges", target: at("/v1/changes"), rule: always(200), told: manages, lists: true},
		{of: "readPage", target: at("/v1/me/page"), rule: always(200), told: isAnn, lists: true},
		{of: "keepPage", target: at("/v1/me/page"), body: at(`{"page":{"views":["` + secret + `"]}}`), rule: keepsPage(200), told: func(rein.Identity) bool { return true }, changes: true},
		{of: "keepPage", target: at("/v1/me/page"), body: at(`{"page":[]}`), rule: keepsPage(400)},
		{of: "listLists", target: at("/v1/lists"), rule: always(200), told: isHome, lists: true},
		{of: "createList", target: at("/v1/lists"), body: at(`{"name":""}`), rule: withRead(always(400)), lists: true},
		{of: "showList", target: on("/v1/lists/LIST"), rule: inHome(200), told: isHome},
		{of: "showList", target: on("/v1/lists/OWN"), rule: onlyAnn(200), told: isAnn},
		{of: "changeList", target: on("/v1/lists/OWN"), body: at(`{"name":""}`), rule: withRead(onlyAnn(400)), told: isAnn},
		{of: "changeList", target: on("/v1/lists/LIST"), body: at(`{"name":""}`), rule: withRead(inHome(400)), told: isHome},
		{of: "addListItems", target: on("/v1/lists/OWN/items"), body: at(`{"items":[{"text":"x"}]}`), rule: withRead(onlyAnn(200)), told: isAnn, changes: true},
		{of: "addListItems", target: on("/v1/lists/LIST/items"), body: at(`{"items":[{"text":"x"}]}`), rule: withRead(inHome(200)), told: isHome, changes: true},
		{of: "changeListItem", target: on("/v1/lists/OWN/items/1"), body: at(`{"done":true}`), rule: withRead(onlyAnn(200)), told: isAnn, changes: true},
		{of: "changeListItem", target: on("/v1/lists/LIST/items/1"), body: at(`{"done":true}`), rule: withRead(inHome(200)), told: isHome, changes: true},
		{of: "removeListItem", target: on("/v1/lists/OWN/items/1"), rule: withRead(onlyAnn(200)), told: isAnn, changes: true},
		{of: "removeListItem", target: on("/v1/lists/LIST/items/1"), rule: withRead(inHome(200)), told: isHome, changes: true},
		{of: "removeDoneItems", target: on("/v1/lists/OWN/items"), rule: withRead(onlyAnn(200)), told: isAnn, changes: true},
		{of: "removeDoneItems", target: on("/v1/lists/LIST/items"), rule: withRead(inHome(200)), told: isHome, changes: true},
		{of: "deleteList", target: on("/v1/lists/OWN"), rule: withRead(onlyAnn(204)), told: isAnn, changes: true},
		{of: "deleteList", target: on("/v1/lists/LIST"), rule: withRead(deletesList(204)), told: isHome, changes: true},
		{of: "listJobs", target: at("/v1/schedules"), rule: always(200), told: isAnn, lists: true},
		{of: "addJob", target: at("/v1/schedules"), body: at(`{"schedule":{},"payload":{"text":"x"}}`), rule: withRead(plans(always(400))), lists: true},
		{of: "showJob", target: on("/v1/schedules/JOB"), rule: onlyAnn(200), told: isAnn},
		{of: "changeJob", target: on("/v1/schedules/JOB"), body: at(`{"enabled":false}`), rule: withRead(plans(onlyAnn(200))), told: isAnn, changes: true},
		{of: "fireJob", target: on("/v1/schedules/JOB/run"), rule: withRead(plans(onlyAnn(200))), told: isAnn, changes: true},
		{of: "listJobRuns", target: on("/v1/schedules/JOB/runs"), rule: onlyAnn(200), told: isAnn},
		{of: "removeJob", target: on("/v1/schedules/JOB"), rule: onlyAnn(204), told: isAnn, changes: true},
		{of: "listMemories", target: at("/v1/memories"), rule: always(200), told: isHome, lists: true},
		{of: "listMemories", target: at("/v1/memories?q=" + secret), rule: always(200), told: isHome, lists: true},
		{of: "addMemory", target: at("/v1/memories"), body: at(`{"text":""}`), rule: withRead(always(400)), lists: true},
		{of: "addMemory", target: at("/v1/memories"), body: at(`{"text":"","household":true}`), rule: withRead(adults(400)), lists: true},
		{of: "showMemory", target: on("/v1/memories/MEMORY"), rule: onlyAnn(200), told: isAnn},
		{of: "showMemory", target: on("/v1/memories/TOLD"), rule: inHome(200), told: isHome},
		{of: "changeMemory", target: on("/v1/memories/MEMORY"), body: at(`{"about":"x"}`), rule: withRead(onlyAnn(200)), told: isAnn, changes: true},
		{of: "changeMemory", target: on("/v1/memories/TOLD"), body: at(`{"about":"x"}`), rule: withRead(annsAtHome(200)), told: isHome, changes: true},
		{of: "forgetMemory", target: on("/v1/memories/MEMORY"), rule: withRead(onlyAnn(200)), told: isAnn, changes: true},
		{of: "forgetMemory", target: on("/v1/memories/TOLD"), rule: withRead(annsAtHome(200)), told: isHome, changes: true},
		{of: "countMemories", target: at("/v1/memory/counts"), rule: always(200), lists: true},
		{of: "exportMemory", target: at("/v1/memory/export"), rule: always(200), told: isAnn, lists: true},
		{of: "listPreferences", target: at("/v1/preferences"), rule: always(200), lists: true},
		{of: "setPreference", target: at("/v1/preferences/units"), body: at(`{"value":"furlongs"}`), rule: withRead(always(400)), lists: true},
		{of: "setPreference", target: at("/v1/preferences/units"), body: at(`{"value":"furlongs","household":true}`), rule: withRead(adults(400)), lists: true},
		{of: "removePreference", target: at("/v1/preferences/units"), rule: withRead(always(204)), lists: true},
		{of: "removePreference", target: at("/v1/preferences/units?household=true"), rule: withRead(adults(204)), lists: true},
		{of: "listAgenda", target: at("/v1/agenda/events?from=2026-11-24&to=2026-11-24"), rule: always(200), told: isHome, lists: true},
		{of: "listAgenda", target: at("/v1/agenda/events?from=never"), rule: always(400), lists: true},
		{of: "addAgendaEvent", target: at("/v1/agenda/events"), body: at(`{"title":"x","start":"2027-01-01"}`), rule: withRead(keepsAgenda(always(201))), told: isHome, lists: true, changes: true},
		{of: "addAgendaEvent", target: at("/v1/agenda/events"), body: at(`{"title":"x","start":"soon"}`), rule: withRead(keepsAgenda(always(400))), lists: true},
		{of: "showAgendaEvent", target: on("/v1/agenda/events/EVENT"), rule: inHome(200), told: isHome},
		{of: "showAgendaEvent", target: on("/v1/agenda/events/SECRETLY"), rule: onlyAnn(200), told: isAnn},
		{of: "changeAgendaEvent", target: on("/v1/agenda/events/EVENT"), body: at(`{"place":"x"}`), rule: withRead(keepsAgenda(annsAtHome(200))), told: isHome, changes: true},
		{of: "changeAgendaEvent", target: on("/v1/agenda/events/SECRETLY"), body: at(`{"place":"x"}`), rule: withRead(keepsAgenda(onlyAnn(200))), told: isAnn, changes: true},
		{of: "changeAgendaEvent", target: on("/v1/agenda/events/SECRETLY"), body: at(`{}`), rule: withRead(keepsAgenda(onlyAnn(400))), told: isAnn},
		{of: "deleteAgendaEvent", target: on("/v1/agenda/events/EVENT"), rule: withRead(annsAtHome(204)), told: isHome, changes: true},
		{of: "deleteAgendaEvent", target: on("/v1/agenda/events/SECRETLY?version=x"), rule: withRead(onlyAnn(409)), told: isAnn},
		{of: "deleteAgendaEvent", target: on("/v1/agenda/events/SECRETLY"), rule: withRead(onlyAnn(204)), told: isAnn, changes: true},
		{of: "findFreeTime", target: at("/v1/agenda/free?from=2026-11-24&minutes=30"), rule: always(200), lists: true},
		{of: "findFreeTime", target: at("/v1/agenda/free?with=nobody-there"), rule: always(400), lists: true},
		{of: "importAgenda", target: at("/v1/agenda/import"), body: at("BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n"), rule: withRead(keepsAgenda(always(200))), lists: true, changes: true},
		{of: "importAgenda", target: at("/v1/agenda/import"), body: at("hello"), rule: withRead(keepsAgenda(always(400))), lists: true},
		{of: "exportAgenda", target: at("/v1/agenda/export"), rule: always(200), told: isAnn, lists: true},
		{of: "showAgendaFeed", target: at("/v1/agenda/feed"), rule: func(visitor) int { return 404 }, lists: true},
		{of: "newAgendaFeed", target: at("/v1/agenda/feed"), rule: withRead(always(201)), lists: true, changes: true, late: true},
		{of: "endAgendaFeed", target: at("/v1/agenda/feed"), rule: always(204), lists: true, changes: true},
		{of: "readAgendaFeed", target: at("/v1/agenda/feed/abcdefghij-x.ics"), rule: always(404)},
		{of: "health", target: at("/v1/health"), rule: always(200), lists: true},
		{of: "alive", target: at("/healthz"), rule: always(200), lists: true},
		{of: "ready", target: at("/readyz"), rule: always(200), lists: true},
		{of: "openapi", target: at("/openapi.json"), rule: always(200), lists: true},
		{of: "docs", target: at("/docs"), rule: always(200), lists: true},
		{of: "dialects", target: at("/docs/dialects"), rule: always(200), lists: true},
	}
}

// mountSamples has requests of all that stands beside the API.
func mountSamples() []sample {
	own := func(who rein.Identity) bool { return isAnn(who) }
	withAct := func(then rule) rule {
		return func(v visitor) int {
			if !v.who.May(rein.ScopeAct) {
				return 403
			}
			return then(v)
		}
	}
	return []sample{
		{of: "/", method: "GET", target: at("/"), rule: always(200), lists: true},
		{of: "/s/", method: "GET", target: on("/s/SESSION"), rule: always(200)},
		{of: "/runs", method: "GET", target: at("/runs"), rule: always(200), lists: true},
		{of: "/runs/", method: "GET", target: on("/runs/RUN"), rule: always(200)},
		{of: "/icon.svg", method: "GET", target: at("/icon.svg"), rule: always(200), lists: true},
		{of: "/login", method: "GET", target: at("/login"), rule: always(200), lists: true},
		{of: "/join", method: "GET", target: at("/join"), rule: always(200), lists: true},
		{of: "/join", method: "GET", target: at("/join?invite=reinjoin_aaaaaaaaaaaa_bbbbbbbbbbbbbbbbbbbbbbbbbb"), rule: always(401), lists: true},
		{of: "/pair", method: "GET", target: at("/pair"), rule: always(200), lists: true},
		{of: "/ws", needs: rein.ScopeRead, method: "GET", target: on("/ws?conversation_id=SESSION"), rule: always(426)},
		{of: "/agent/", needs: rein.ScopeRead, method: "GET", target: at("/agent/tree"), rule: always(200), told: own, lists: true},
		{of: "/agent/", needs: rein.ScopeRead, method: "GET", target: on("/agent/RUN"), rule: seen(200)},
		{of: "/agent/", needs: rein.ScopeRead, method: "GET", target: on("/agent/stream?lastEventId=DONE:1"), rule: seen(200)},
		{of: "/agent/", needs: rein.ScopeRead, method: "GET", target: at("/agent/stream"), headers: []string{"Last-Event-ID", "nothing:1"}, rule: always(404)},
		{of: "/agent/", needs: rein.ScopeRead, method: "GET", target: at("/agent/stream?prompt=hi&agentId=k-1"), rule: withAct(always(400))},
		{of: "/agent/", needs: rein.ScopeRead, method: "GET", target: on("/agent/stream?prompt=hi&agentId=RUN"), rule: withAct(always(409))},
		{of: "/agent/", needs: rein.ScopeRead, method: "POST", target: on("/agent/RUN/intervene"), body: at(`{"userComment":"hm"}`), rule: withAct(changed(200)), changes: true},
		{of: "/chat", needs: rein.ScopeRead, method: "POST", target: at("/chat"), body: at(`{}`), rule: withAct(always(400)), lists: true},
		{of: "/chat/", needs: rein.ScopeRead, method: "POST", target: at("/chat/stream"), body: at(`{}`), rule: withAct(always(400)), lists: true},
		{of: "/chat/", needs: rein.ScopeRead, method: "GET", target: at("/chat/history"), rule: always(200), told: own, lists: true},
		{of: "/chat/", needs: rein.ScopeRead, method: "POST", target: at("/chat/actions/execute"), body: on(`{"action_id":"ASK"}`), rule: func(v visitor) int {
			if !v.who.May(rein.ScopeAnswer) {
				return 403
			}
			return 404 // it is a question, for ann too
		}},
		{of: "/metrics", needs: rein.ScopeAdmin, method: "GET", target: at("/metrics"), rule: operated(200), lists: true, told: func(rein.Identity) bool { return false }},
		{of: "/logout", method: "POST", target: at("/logout"), late: true, changes: true, rule: func(v visitor) int {
			switch {
			case !v.known() && !slices.Contains(v.headers, "Origin"): // from no page of ours
				return 401
			case !v.known() || v.browser(): // a cookie that is no good is taken away
				return 204
			}
			return 400
		}},
	}
}

// TestIdentityMatrix tries every operation, and everything that rein serve mounts, as everyone: what
// they are answered follows from their role, their scopes and whose it is. What they may not see is in
// no answer, and what is refused changes nothing.
//
// Covers: NEU-1 NEU-2 NEU-3
// Attack: 1 2 9
func TestIdentityMatrix(t *testing.T) {
	h := newHouse(t)
	all := samples()
	known := map[string]server.Operation{}
	for _, o := range server.Operations() {
		known[o.Name] = o
	}
	tried := map[string]bool{}
	for i, s := range all {
		o, ok := known[s.of]
		if !ok {
			t.Fatalf("there is no operation %s", s.of)
		}
		all[i].method, all[i].needs, tried[s.of] = o.Method, o.Needs, true
	}
	for name := range known {
		if !tried[name] {
			t.Errorf("operation %s has no sample: add one, and say who is answered how", name)
		}
	}
	all = append(all, mountSamples()...)
	strangers, visitors := h.strangers(), h.visitors()
	a := h.things()
	cells := 0
	for _, s := range all {
		if s.late {
			continue
		}
		var refused, welcome []visitor
		for _, v := range append(strangers[:len(strangers):len(strangers)], visitors...) {
			if s.changes && s.status(v) < 300 {
				welcome = append(welcome, v)
			} else {
				refused = append(refused, v)
			}
		}
		if table := h.tryAll(s, refused, a); table != "" {
			t.Errorf("%s %s was refused to everyone, and yet table %s changed", s.of, s.target(a), table)
		}
		cells += len(refused)
		for _, v := range welcome {
			own := h.things()
			h.try(s, v, own)
			h.leave(own)
			cells++
		}
	}
	for _, s := range all {
		if !s.late {
			continue
		}
		for _, kind := range visitors { // each with a credential of its own
			v := h.token(kind.who.Household, kind.who.User, kind.who.Scopes...)
			if kind.browser() {
				v = h.browser(kind.who.User)
			}
			v.name = kind.name
			h.try(s, v, a)
			cells++
			if h.annIs() != rein.Member {
				check(t, h.people.SetRole(t.Context(), rein.Host(), "ann", rein.Member))
			}
		}
		for _, v := range strangers {
			h.try(s, v, a)
			cells++
		}
	}
	if cells < 1500 {
		t.Errorf("only %d cells were tried", cells)
	}
}

// leave gives back the token, the channel, the hook, the job and the lists of things, for a user may have only so many. The sample may have revoked it.
func (h *house) leave(a things) {
	h.Helper()
	h.dropJob(a.job)
	h.forgets(a.memory)
	h.forgets(a.told)
	h.dropList(a.list)
	h.dropList(a.own)
	if err := h.book().Remove(h.Context(), "home", "ann", a.channel); rein.CodeOf(err) != rein.CodeNotFound {
		check(h, err)
	}
	ann := rein.Identity{Household: "home", User: "ann", Role: rein.Member, Scopes: rein.Scopes()}
	if err := h.hooks.Remove(h.Context(), ann, a.hook); rein.CodeOf(err) != rein.CodeNotFound {
		check(h, err)
	}
	if err := h.people.RevokeToken(h.Context(), rein.Host(), a.token); rein.CodeOf(err) != rein.CodeNotFound {
		check(h, err)
	}
}

func (h *house) annIs() rein.UserRole {
	users, err := h.people.ListUsers(h.Context(), rein.Host())
	check(h, err)
	for _, u := range users {
		if u.Name == "ann" {
			return u.Role
		}
	}
	return ""
}

// status is what someone is answered with.
func (s sample) status(v visitor) int {
	switch {
	case s.needs == "":
	case !v.known():
		return http.StatusUnauthorized
	case !v.who.May(s.needs):
		return http.StatusForbidden
	}
	return s.rule(v)
}

// tryAll sends a sample as everyone who may not change anything with it, and returns a table that changed.
// A run that was woken before may write meanwhile, so a change counts if it comes again.
func (h *house) tryAll(s sample, refused []visitor, a things) (changed string) {
	h.Helper()
	for range 3 {
		h.quiet()
		before := h.print()
		for _, v := range refused {
			h.try(s, v, a)
		}
		changed = ""
		for table, sum := range h.print() {
			if before[table] != sum {
				changed = table
			}
		}
		if changed == "" {
			return ""
		}
	}
	return changed
}

// try sends a sample as someone and looks at the answer.
func (h *house) try(s sample, v visitor, a things) {
	h.Helper()
	body := ""
	if s.body != nil {
		body = s.body(a)
	}
	target := s.target(a)
	w := h.send(v, s.method, target, body, s.headers...)
	what := fmt.Sprintf("%s: %s %s %s, sent by %s", s.of, s.method, target, body, v.name)
	if want := s.status(v); w.Code != want {
		h.Errorf("%s: %d, want %d: %.300s", what, w.Code, want, w.Body)
		return
	}
	text := w.Body.String() + fmt.Sprint(w.Header())
	told := s.told
	if told == nil {
		told = sees
	}
	may := v.known() && told(v.who) && w.Code < 300
	if !may && strings.Contains(text, secret) {
		h.Errorf("%s is told what is ann's: %.500s", what, text)
	}
	if !may && s.lists && strings.Contains(text, mark) {
		h.Errorf("%s is told names of ann's: %.500s", what, text)
	}
	if strings.Contains(text, h.dir) && !v.who.May(rein.ScopeAdmin) {
		h.Errorf("%s is told where the data is: %.500s", what, text)
	}
	if strings.HasPrefix(target, "/v1/") && w.Code >= 400 && w.Code != 426 {
		var p api.Problem
		if json.Unmarshal(w.Body.Bytes(), &p) != nil || p.Status != w.Code || p.Hint == "" || w.Header().Get("Content-Type") != api.ProblemType {
			h.Errorf("%s: the problem is %.300s", what, text)
		}
	}
	if w.Code == 401 && w.Header().Get("WWW-Authenticate") == "" {
		h.Errorf("%s: nothing says how to become known", what)
	}
}
