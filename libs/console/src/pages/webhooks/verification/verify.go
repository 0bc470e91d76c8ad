// Nothing to install: WEBHOOK_SECRET=whsec_… go run verify.go
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

func verify(key []byte, header http.Header, body []byte) error {
	timestamp := header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > 5*time.Minute {
		return errors.New("the timestamp is missing or too old")
	}

	signed := hmac.New(sha256.New, key)
	fmt.Fprintf(signed, "%s.%s.", header.Get("webhook-id"), timestamp)
	signed.Write(body)
	expected := "v1," + base64.StdEncoding.EncodeToString(signed.Sum(nil))
	// There is more than one for a day after the secret was rotated.
	for _, given := range strings.Fields(header.Get("webhook-signature")) {
		if hmac.Equal([]byte(given), []byte(expected)) {
			return nil
		}
	}
	return errors.New("no signature fits")
}

func main() {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(os.Getenv("WEBHOOK_SECRET"), "whsec_"))
	if err != nil || len(key) == 0 {
		log.Fatal("WEBHOOK_SECRET is not a signing secret")
	}
	port := os.Getenv("PORT")
	if port == "" {
		port = "8080"
	}
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		// The bytes as they came: JSON that was parsed and written again has another signature.
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		if err := verify(key, r.Header, body); err != nil {
			http.Error(w, err.Error(), http.StatusUnauthorized)
			return
		}
		log.Printf("%s", body)
		w.WriteHeader(http.StatusNoContent)
	})
	log.Fatal(http.ListenAndServe(":"+port, nil))
}
