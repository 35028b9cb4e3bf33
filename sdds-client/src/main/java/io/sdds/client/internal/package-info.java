/** The internals of the client. They are not for applications and may change with any version. */
@NullMarked
package io.sdds.client.internal;

import org.jspecify.annotations.NullMarked;
