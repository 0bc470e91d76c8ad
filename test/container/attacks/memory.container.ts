// The same attacks on a service that runs in a container.
import '../../security/memory.security.js';
