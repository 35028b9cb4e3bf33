/**
 * The routing of requests to their bricks: images, links, requests in flight, retries. Pure logic without clocks,
 * threads or sockets.
 */
@NullMarked
package io.sdds.client.internal.routing;

import org.jspecify.annotations.NullMarked;
