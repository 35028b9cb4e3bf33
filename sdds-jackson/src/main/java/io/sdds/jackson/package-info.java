/** A codec of values as JSON, by Jackson. */
@NullMarked
package io.sdds.jackson;

import org.jspecify.annotations.NullMarked;
