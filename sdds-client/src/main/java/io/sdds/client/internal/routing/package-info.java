/**
 * How requests find their bricks: images, links, requests in flight, retries. Pure logic on the seam: no clocks,
 * threads or sockets.
 */
@NullMarked
package io.sdds.client.internal.routing;

import org.jspecify.annotations.NullMarked;
