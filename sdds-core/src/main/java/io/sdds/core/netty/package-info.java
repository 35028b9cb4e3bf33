/** The transport's shell on Netty; the only place in this module that touches channels, threads and clocks. */
@NullMarked
package io.sdds.core.netty;

import org.jspecify.annotations.NullMarked;
