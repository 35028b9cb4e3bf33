/** The transport on Netty. Only this package of the module uses channels, threads and clocks. */
@NullMarked
package io.sdds.core.netty;

import org.jspecify.annotations.NullMarked;
