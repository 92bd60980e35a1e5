// Boxes: a server of hooks/v1, with Go's standard library alone.
//
//	export HOOKS_SECRET=whsec_$(openssl rand -base64 32)
//	go run boxes.go --port 8080            # in earnest
//	go run boxes.go --port 8080 --testing  # to be proved: sequencer prove http://127.0.0.1:8080
//
// It keeps boxes of a size and a color in memory, under numbers of its own. Each bears
// the mark of its owner, by which it is found again: identity "tag". Each has a token.
package main

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"math"
	"net"
	"net/http"
	"os"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	protocol    = "hooks/v1"
	tolerance   = 300 // seconds that clocks may differ
	longestBody = 1 << 20
)

// refusal says that nothing has happened.
type refusal struct {
	status          int
	message, reason string
}

func (r refusal) Error() string { return r.message }

type owner struct {
	Mark string `json:"mark"`
}

type id struct {
	Box string `json:"box"`
}

type wanted struct {
	Size  *int    `json:"size"`
	Color *string `json:"color"`
}

// request has the members of all functions; those that are not known here are ignored.
type request struct {
	Protocol string  `json:"protocol"`
	Function string  `json:"function"`
	Owner    *owner  `json:"owner"`
	Former   []owner `json:"former"`
	ID       *id     `json:"id"`
	Wanted   *wanted `json:"wanted"`
}

type answer map[string]any

type box struct {
	mark, token string
	wanted      wanted
}

// boxes are those of one path.
type boxes struct {
	all  map[string]*box
	last int
}

func (b *boxes) find(r request) (answer, error) {
	for name, one := range b.all {
		if one.mark == r.Owner.Mark {
			return answer{"id": id{name}}, nil
		}
	}
	return answer{"id": nil}, nil
}

// findAll lists what bears a mark that begins with that of the request: all things of the workspace.
func (b *boxes) findAll(r request) (answer, error) {
	things := []answer{}
	for name, one := range b.all {
		if slot, isOurs := strings.CutPrefix(one.mark, r.Owner.Mark); isOurs {
			things = append(things, answer{"slot": slot, "id": id{name}})
		}
	}
	return answer{"things": things}, nil
}

func (b *boxes) create(r request) (answer, error) {
	if err := r.Wanted.check(); err != nil {
		return nil, err
	}
	b.last++
	name := fmt.Sprintf("box-%d", b.last)
	b.all[name] = &box{mark: r.Owner.Mark, token: rand.Text(), wanted: *r.Wanted}
	return answer{"id": id{name}, "secret": answer{"token": b.all[name].token}}, nil
}

func (b *boxes) observe(r request) (answer, error) {
	one, isThere := b.all[r.ID.Box]
	if !isThere {
		return answer{"state": nil}, nil
	}
	return answer{"state": one.wanted, "mark": one.mark}, nil
}

func (b *boxes) update(r request) (answer, error) {
	one, err := b.own(r)
	if err == nil {
		err = r.Wanted.check()
	}
	if err == nil {
		one.wanted = *r.Wanted
	}
	return answer{}, err
}

func (b *boxes) secretOf(r request) (answer, error) {
	one, err := b.own(r)
	if err != nil {
		return nil, err
	}
	return answer{"secret": answer{"token": one.token}}, nil
}

func (b *boxes) replaceMark(r request) (answer, error) {
	one, err := b.own(r, r.Former...)
	if err == nil {
		one.mark = r.Owner.Mark
	}
	return answer{}, err
}

func (b *boxes) delete(r request) (answer, error) {
	if _, isThere := b.all[r.ID.Box]; isThere {
		if _, err := b.own(r); err != nil {
			return nil, err
		}
		delete(b.all, r.ID.Box)
	}
	return answer{"gone": true}, nil
}

func (b *boxes) list(request) (answer, error) {
	things := []answer{}
	for name, one := range b.all {
		what, _ := json.Marshal(one.wanted)
		things = append(things, answer{"id": name, "what": string(what)})
	}
	sort.Slice(things, func(i, j int) bool { return things[i]["id"].(string) < things[j]["id"].(string) })
	return answer{"things": things}, nil
}

func (b *boxes) causeDrift(request) (answer, error) {
	for _, one := range b.all {
		size := 99
		one.wanted.Size = &size
		break
	}
	return answer{}, nil
}

func (b *boxes) reset(request) (answer, error) {
	b.all = map[string]*box{}
	return answer{}, nil
}

// own returns the box of a request: never one with another's mark.
func (b *boxes) own(r request, former ...owner) (*box, error) {
	one, isThere := b.all[r.ID.Box]
	if !isThere {
		return nil, refusal{404, "there is no such box", ""}
	}
	for _, owner := range append(former, *r.Owner) {
		if owner.Mark == one.mark {
			return one, nil
		}
	}
	return nil, refusal{403, "that box is another's", ""}
}

func (w wanted) check() error {
	if w.Size == nil || w.Color == nil {
		return refusal{422, "a box has a size, a whole number, and a color, a text", ""}
	}
	return nil
}

// describe says what this server does.
func describe(testing bool) answer {
	said := answer{"identity": "tag", "functions": []string{"find", "findAll", "observe", "update", "secretOf", "replaceMark"}, "label": "box"}
	if testing {
		said["testing"] = answer{
			"wanted":   answer{"size": 1, "color": "red"},
			"edited":   answer{"size": 2, "color": "blue"},
			"sameName": "separate",
		}
	}
	return said
}

// function is one function, and the members that it needs.
type function struct {
	call              func(*boxes, request) (answer, error)
	owner, id, wanted bool
}

func functions(testing bool) map[string]function {
	all := map[string]function{
		"describe":    {call: func(*boxes, request) (answer, error) { return describe(testing), nil }},
		"find":        {call: (*boxes).find, owner: true},
		"findAll":     {call: (*boxes).findAll, owner: true},
		"create":      {call: (*boxes).create, owner: true, wanted: true},
		"observe":     {call: (*boxes).observe, owner: true, id: true},
		"update":      {call: (*boxes).update, owner: true, id: true, wanted: true},
		"secretOf":    {call: (*boxes).secretOf, owner: true, id: true},
		"replaceMark": {call: (*boxes).replaceMark, owner: true, id: true},
		"delete":      {call: (*boxes).delete, owner: true, id: true},
	}
	if testing {
		all["testList"] = function{call: (*boxes).list}
		all["testDrift"] = function{call: (*boxes).causeDrift}
		all["testReset"] = function{call: (*boxes).reset}
	}
	return all
}

// server answers requests, one at a time.
type server struct {
	sync.Mutex
	key       []byte
	testing   bool
	functions map[string]function
	seen      map[string]float64
	places    map[string]*boxes // by path: a server that is proved has some of them at a time
}

// verify checks a signature as Standard Webhooks says; each message counts once.
func (s *server) verify(header http.Header, body []byte) error {
	messageID, timestamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
	mac := hmac.New(sha256.New, s.key)
	fmt.Fprintf(mac, "%s.%s.%s", messageID, timestamp, body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	isSigned := false
	for _, given := range strings.Fields(header.Get("webhook-signature")) {
		isSigned = isSigned || hmac.Equal([]byte(given), []byte(expected))
	}
	if !isSigned {
		return refusal{401, "wrong signature", ""}
	}
	now := float64(time.Now().UnixMilli()) / 1000
	sent, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || math.Abs(now-float64(sent)) > tolerance {
		return refusal{401, "too old, or too early: compare the clocks", ""}
	}
	for one, at := range s.seen {
		if now-at > 2*tolerance {
			delete(s.seen, one)
		}
	}
	if _, isSeen := s.seen[messageID]; isSeen {
		return refusal{401, "was sent before", ""}
	}
	s.seen[messageID] = now
	return nil
}

func (s *server) answerTo(path string, header http.Header, body []byte) (answer, error) {
	s.Lock()
	defer s.Unlock()
	if err := s.verify(header, body); err != nil {
		return nil, err
	}
	var r request
	if err := json.Unmarshal(body, &r); err != nil {
		return nil, refusal{400, "not as it should be: " + err.Error(), ""}
	}
	if r.Protocol != protocol {
		return nil, refusal{400, "the protocol is " + protocol, ""}
	}
	function, isKnown := s.functions[r.Function]
	if !isKnown {
		return nil, refusal{404, "there is no such function", "unknown-function"}
	}
	if (function.owner && r.Owner == nil) || (function.id && r.ID == nil) || (function.wanted && r.Wanted == nil) {
		return nil, refusal{400, "owner, id or wanted is missing", ""}
	}
	if !s.testing {
		path = ""
	}
	if s.places[path] == nil {
		s.places[path] = &boxes{all: map[string]*box{}}
	}
	if r.Function == "testReset" {
		defer delete(s.places, path)
	}
	return function.call(s.places[path], r)
}

func (s *server) ServeHTTP(writer http.ResponseWriter, r *http.Request) {
	status, said := http.StatusOK, answer(nil)
	body, err := io.ReadAll(http.MaxBytesReader(writer, r.Body, longestBody))
	if err != nil {
		err = refusal{413, "too long, or cut off", ""}
	} else {
		said, err = s.answerTo(r.URL.Path, r.Header, body)
	}
	if err != nil {
		status, said = http.StatusInternalServerError, answer{"error": answer{"effect": "unknown", "message": err.Error()}}
		var refused refusal
		if errors.As(err, &refused) {
			told := answer{"effect": "none", "message": refused.message}
			if refused.reason != "" {
				told["reason"] = refused.reason
			}
			status, said = refused.status, answer{"error": told}
		}
	}
	writer.Header().Set("content-type", "application/json")
	writer.WriteHeader(status)
	json.NewEncoder(writer).Encode(said)
}

func main() {
	port := flag.Int("port", 8080, "port on 127.0.0.1; 0 for any")
	testing := flag.Bool("testing", false, "answer what sequencer prove asks")
	flag.Parse()
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(os.Getenv("HOOKS_SECRET"), "whsec_"))
	if err != nil || len(key) < 24 {
		log.Fatal("HOOKS_SECRET must be whsec_ and 24 to 64 bytes in base64")
	}
	listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", *port))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("listening on http://%s\n", listener.Addr())
	handler := &server{
		key:       key,
		testing:   *testing,
		functions: functions(*testing),
		seen:      map[string]float64{},
		places:    map[string]*boxes{},
	}
	log.Fatal((&http.Server{Handler: handler, ReadTimeout: time.Minute}).Serve(listener))
}
