// The same attacks on a service that runs in a container.
import '../../security/processes.security.js';
