// The same attacks on a service that runs in a container.
import '../../security/space.security.js';
