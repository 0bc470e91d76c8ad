/*
 * What a Node that stays for several runs loads: a module with one function, `next`. It leaves the pipes of the run that is over, goes
 * to the launcher's door, which is the wish for an end, and returns with the pipes and words of the next run. Until then nothing of
 * its program goes on. Python does the same itself, see handler.py. Node's interface for modules is declared here, as its headers
 * need not be there. Source: Node-API, version 1.
 */
#include "../door/door.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct napi_env__ *napi_env;
typedef struct napi_value__ *napi_value;
typedef struct napi_callback_info__ *napi_callback_info;
typedef napi_value (*napi_callback)(napi_env, napi_callback_info);
extern int napi_create_function(napi_env, const char *, size_t, napi_callback, void *, napi_value *);
extern int napi_create_buffer_copy(napi_env, size_t, const void *, void **, napi_value *);

/* See let_in() in native/waiting.c. */
struct head {
  uint32_t arguments, environment, readable;
};

_Noreturn void give_up(const char *what) {
  dprintf(2, "the process cannot stay: %s\n", what);
  _exit(125);
}

/* Each run has an open file of its own there: a lock on it, or its flags, would outlive the run that set them. */
static void leave_pipes(void) {
  int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int i = 0; i < 3; i++)
    if (nothing < 0 || dup2(nothing, i) < 0) give_up("its pipes");
  close(nothing);
}

/* Returns bytes: the descriptor for the answer, the length of the arguments, that of the environment, a place of no use, and both. */
static napi_value next(napi_env env, napi_callback_info info) {
  (void)info;
  struct head head;
  int pipes[2];
  napi_value result = NULL;
  leave_pipes();
  if (chdir("/") < 0) give_up("its folder");
  int door = connect_to_launcher();
  receive_pipes(door, pipes);
  for (int i = 1; i < 3; i++)
    if (dup2(pipes[1], i) < 0) give_up("its pipes");
  close(pipes[1]);
  read_exactly(door, &head, sizeof head);
  size_t length = (size_t)head.arguments + head.environment + head.readable;
  char *message = malloc(sizeof(uint32_t) + sizeof head + length);
  if (!message) give_up("memory");
  *(uint32_t *)message = pipes[0];
  *(struct head *)(message + sizeof(uint32_t)) = head;
  read_exactly(door, message + sizeof(uint32_t) + sizeof head, length);
  close(door);
  if (chdir("/app") < 0) give_up("/app");
  napi_create_buffer_copy(env, sizeof(uint32_t) + sizeof head + length, message, NULL, &result);
  free(message);
  return result;
}

__attribute__((visibility("default"))) napi_value napi_register_module_v1(napi_env env, napi_value exports) {
  napi_value function;
  (void)exports;
  return napi_create_function(env, "next", 4, next, NULL, &function) == 0 ? function : NULL;
}
