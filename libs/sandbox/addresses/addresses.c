/*
 * What the C library asks the kernel by netlink, which no box may: the interfaces, of which every box has one, the loopback. Loaded by
 * every program of a box (/etc/ld.so.preload); with static programs and those that ask the kernel by themselves, the question fails.
 */
#define _GNU_SOURCE
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#define ADDRESS(of) ((struct sockaddr *)&of)

static struct sockaddr_in address4 = {.sin_family = AF_INET}, mask4 = {.sin_family = AF_INET};
static struct sockaddr_in6 address6 = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT},
                           mask6 = {.sin6_family = AF_INET6};
static struct if_nameindex interfaces[] = {{1, "lo"}, {0, NULL}};
static struct ifaddrs addresses[] = {{.ifa_name = "lo", .ifa_addr = ADDRESS(address4), .ifa_netmask = ADDRESS(mask4)},
                                     {.ifa_name = "lo", .ifa_addr = ADDRESS(address6), .ifa_netmask = ADDRESS(mask6)}};

int getifaddrs(struct ifaddrs **list) {
  address4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  mask4.sin_addr.s_addr = htonl(0xff000000);
  for (size_t i = 0; i < sizeof mask6.sin6_addr; i++) mask6.sin6_addr.s6_addr[i] = 0xff;
  for (size_t i = 0; i < 2; i++) addresses[i].ifa_flags = IFF_UP | IFF_LOOPBACK | IFF_RUNNING;
  /* Not there where the kernel has no IPv6. */
  addresses[0].ifa_next = access("/proc/net/if_inet6", F_OK) == 0 ? &addresses[1] : NULL;
  *list = addresses;
  return 0;
}

void freeifaddrs(struct ifaddrs *list) { (void)list; }

struct if_nameindex *if_nameindex(void) { return interfaces; }

void if_freenameindex(struct if_nameindex *list) { (void)list; }
