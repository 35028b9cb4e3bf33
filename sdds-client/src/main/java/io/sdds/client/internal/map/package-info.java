/** Tables as maps and sets of the Java collections. */
@NullMarked
package io.sdds.client.internal.map;

import org.jspecify.annotations.NullMarked;
