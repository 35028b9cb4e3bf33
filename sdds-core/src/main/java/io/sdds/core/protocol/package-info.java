/** The protocol: layouts of frames, and the codec of records (docs/protocol.md). */
@NullMarked
package io.sdds.core.protocol;

import org.jspecify.annotations.NullMarked;
